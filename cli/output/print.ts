import { stdout } from "../stdout.ts";
import type { TextFormat } from "./formats.ts";
import type { Rows } from "./rows.ts";

/** Prints rows: as a table on a terminal, else as JSON, unless the command line says otherwise. */
export async function printRows(rows: Rows, output: TextFormat | undefined): Promise<void> {
  const { writers } = await import("./writers.ts");
  await writers[formatOf(output)](rows, stdout);
}

/** Prints an object in the same way; `text` is what people are shown instead of a table. */
export async function printObject(json: unknown, text: string, output: "table" | "json" | undefined): Promise<void> {
  await stdout.write(formatOf(output) === "json" ? `${JSON.stringify(json, null, 2)}\n` : text);
}

/** The format of a command line. */
export function formatOf<F extends TextFormat>(output: F | undefined): F | "table" | "json" {
  return output ?? (process.stdout.isTTY ? "table" : "json");
}
