import type { TextOutput } from "../stdout.ts";
import type { Rows } from "./rows.ts";

/** One JSON array with a row per line; digits and spelling of every number as the store has them. */
export async function writeJson(rows: Rows, output: TextOutput): Promise<void> {
  let separator = "[\n";
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    await output.write(separator + batch.join(",\n"));
    separator = ",\n";
  }
  await output.write(separator === "[\n" ? "[]\n" : "\n]\n");
}

/** A JSON text per row, each on a line of its own. */
export async function writeLines(rows: Rows, output: TextOutput): Promise<void> {
  for await (const batch of rows) {
    if (batch.length > 0) await output.write(`${batch.join("\n")}\n`);
  }
}
