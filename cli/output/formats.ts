import { extname } from "node:path";
import { UsageError } from "../errors.ts";

/** The layouts of an answer that are text, and may go anywhere. */
export const textFormats = ["table", "json", "ndjson", "csv", "markdown"] as const;

export type TextFormat = (typeof textFormats)[number];

/** All layouts an answer can have. */
export const outputFormats = [...textFormats, "parquet"] as const;

export type OutputFormat = (typeof outputFormats)[number];

const endings: Readonly<Record<string, OutputFormat>> = {
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".csv": "csv",
  ".md": "markdown",
  ".parquet": "parquet",
};

/** The layout that a file's ending names; undefined where it names none. */
export function formatByName(path: string): OutputFormat | undefined {
  return endings[extname(path).toLowerCase()];
}

/**
 * Refuses a file whose ending names no layout: nobody wants JSON in a `.xlsx`. A name without an ending, such as that of
 * a device, promises nothing.
 * @throws UsageError naming the endings that do
 */
export function checkEnding(path: string): void {
  const ending = extname(path);
  if (ending === "" || ending === "." || formatByName(path) !== undefined) return;
  const known = Object.keys(endings).join(", ");
  throw new UsageError(`--out ${path}: unknown extension ${ending}; use one of ${known}, or add --output`);
}
