/** A line of a unified diff. */
export interface DiffLine {
  readonly kind: "head" | "place" | "added" | "removed" | "same";
  readonly text: string;
}

/** The lines of a message that is a unified diff, as Puppet logs for changed files; undefined for other messages. */
export function diffLines(message: string): readonly DiffLine[] | undefined {
  if (!/^--- .*\n\+\+\+ .*\n@@ /m.test(message)) return undefined;
  let isInside = false;
  return message
    .replaceAll(/^\n+|\n+$/g, "")
    .split("\n")
    .map((text) => {
      if (text.startsWith("@@")) {
        isInside = true;
        return { kind: "place", text };
      }
      if (!isInside || /^(?:--- |\+\+\+ )/.test(text)) return { kind: "head", text };
      if (text.startsWith("+")) return { kind: "added", text };
      return { kind: text.startsWith("-") ? "removed" : "same", text };
    });
}
