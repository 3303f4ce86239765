import { htmlLines } from "#storage/output/html/lines.ts";
import { type AboutPage, pageEnd, pageStart } from "#storage/output/html/page.ts";
import type { TextOutput } from "../stdout.ts";

/** Writes lines for a terminal as one page in HTML. */
export async function writePage(
  output: TextOutput,
  page: AboutPage,
  write: (to: TextOutput) => Promise<void>,
): Promise<void> {
  const lines = htmlLines();
  await output.write(`${pageStart(page)}<pre>`);
  await write({ write: (text) => output.write(lines.next(text)) });
  await output.write(`${lines.end()}</pre>\n${pageEnd("")}`);
}
