import { escaped } from "./page.ts";

/** The classes of lines that begin with a mark of a comparison. */
const classes: Readonly<Record<string, string>> = { "+": "add", "-": "del", "~": "mod" };

/** Text for a terminal as HTML, in pieces that may end within a line. */
export interface HtmlLines {
  next(text: string): string;
  /** The last line, if it has no end. */
  end(): string;
}

/** Lines of a comparison are coloured by their marks. */
export function htmlLines(): HtmlLines {
  let rest = "";
  return {
    next: (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      return lines.map((each) => `${line(each)}\n`).join("");
    },
    end: () => line(rest),
  };
}

function line(text: string): string {
  const [, mark = ""] = /^ *([-+~]) /.exec(text) ?? [];
  const name = classes[mark];
  return name === undefined ? escaped(text) : `<span class="${name}">${escaped(text)}</span>`;
}
