import type { RowTexts } from "./row-texts.ts";

/** One JSON array with a row per line; digits and spelling of every number as the store has them. */
export async function* jsonOf(rows: RowTexts): AsyncGenerator<string, void> {
  let separator = "[\n";
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    yield separator + batch.join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/** A JSON text per row, each on a line of its own. */
export async function* linesOf(rows: RowTexts): AsyncGenerator<string, void> {
  for await (const batch of rows) {
    if (batch.length > 0) yield `${batch.join("\n")}\n`;
  }
}
