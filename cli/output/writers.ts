import { textFormatKeys } from "#storage/output/format-names.ts";
import { textsIn } from "#storage/output/formats.ts";
import type { TextFormat } from "./formats.ts";
import type { RowWriter } from "./rows.ts";

/** What writes each layout. */
export const writers: Readonly<Record<TextFormat, RowWriter>> = {
  table: async (...answer) => (await import("./table.ts")).writeTable(...answer),
  ...(Object.fromEntries(
    textFormatKeys.map((format): [string, RowWriter] => [
      format,
      async (rows, output, { page, now, total } = {}) => {
        const { formatTimestamp } = await import("#storage/time.ts");
        // Only a page has a time.
        const time = now === undefined || format !== "html" ? undefined : formatTimestamp(await now());
        const texts = await textsIn[format](rows, { page: { title: "Census", ...page, time }, total });
        for await (const text of texts) await output.write(text);
      },
    ]),
  ) as Record<(typeof textFormatKeys)[number], RowWriter>),
};
