import type { TextOutput } from "../stdout.ts";
import type { TextFormat } from "./formats.ts";
import type { RowWriter } from "./rows.ts";

/** What writes each layout; loaded when it is used, for the libraries of one are larger than all the rest of a query. */
export const writers: Readonly<Record<TextFormat, RowWriter>> = {
  table: async (...answer) => (await import("./table.ts")).writeTable(...answer),
  json: async (rows, output) => written((await import("#storage/output/json.ts")).jsonOf(rows), output),
  ndjson: async (rows, output) => written((await import("#storage/output/json.ts")).linesOf(rows), output),
  csv: async (rows, output) => written((await import("#storage/output/csv.ts")).csvOf(rows), output),
  markdown: async (rows, output) => written((await import("#storage/output/markdown.ts")).markdownOf(rows), output),
  html: async (rows, output, { page, now, total } = {}) => {
    const [{ htmlOf }, { formatTimestamp }] = await Promise.all([
      import("#storage/output/html/rows.ts"),
      import("#storage/time.ts"),
    ]);
    const time = now === undefined ? undefined : formatTimestamp(await now());
    await written(htmlOf(rows, { page: { title: "Census", ...page, time }, total }), output);
  },
};

async function written(texts: AsyncIterable<string>, output: TextOutput): Promise<void> {
  for await (const text of texts) await output.write(text);
}
