import { wrap } from "#cli/output/wrap.ts";

/** Markdown by the name of its place on a page. */
export type Parts = Readonly<Record<string, string>>;

/** The characters of a line of a page. */
const WIDTH = 120;

/** The page with each part in place of what is between its marks. */
export function withParts(page: string, parts: Parts): string {
  return page.replace(
    /(<!-- ([\w-]+) -->\n)[^]*?(<!-- end -->)/g,
    (whole, begin: string, name: string, end: string) => {
      const part = parts[name];
      return part === undefined ? whole : `${begin}${part}\n\n${end}`;
    },
  );
}

/** A paragraph in lines; `margin` begins all but the first. */
export function paragraph(text: string, margin = ""): string {
  return wrap(text, WIDTH - margin.length).join(`\n${margin}`);
}
