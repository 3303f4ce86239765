import type { TextFormat } from "./formats.ts";
import type { RowWriter } from "./rows.ts";

/** What writes each layout; loaded when it is used, for the libraries of one are larger than all the rest of a query. */
export const writers: Readonly<Record<TextFormat, RowWriter>> = {
  table: async (...answer) => (await import("./table.ts")).writeTable(...answer),
  json: async (rows, output) => (await import("./json.ts")).writeJson(rows, output),
  ndjson: async (rows, output) => (await import("./json.ts")).writeLines(rows, output),
  csv: async (rows, output) => (await import("./csv.ts")).writeCsv(rows, output),
  markdown: async (rows, output) => (await import("./markdown.ts")).writeMarkdown(rows, output),
};
