import { extname } from "node:path";
import { UsageError } from "../errors.ts";

/** The text formats, for files and stdout. */
export const textFormats = ["table", "json", "ndjson", "csv", "markdown", "html"] as const;

export type TextFormat = (typeof textFormats)[number];

/** All output formats. */
export const outputFormats = [...textFormats, "parquet"] as const;

export type OutputFormat = (typeof outputFormats)[number];

const endings: Readonly<Record<string, OutputFormat>> = {
  ".json": "json",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
  ".csv": "csv",
  ".md": "markdown",
  ".html": "html",
  ".parquet": "parquet",
};

/** The format of a file's extension, if it has a known one. */
export function formatByName(path: string): OutputFormat | undefined {
  return endings[extname(path).toLowerCase()];
}

/**
 * Rejects a file with an unknown extension: a `.xlsx` must not contain JSON. A name without an extension, such as a
 * device, is accepted.
 * @param option what named the file
 * @param otherwise how to choose the format instead
 * @throws UsageError naming the known extensions
 */
export function checkEnding(path: string, { option = "--out", otherwise = "add --output" } = {}): void {
  const ending = extname(path);
  if (ending === "" || ending === "." || formatByName(path) !== undefined) return;
  const known = Object.keys(endings).join(", ");
  throw new UsageError(`${option} ${path}: unknown extension ${ending}; use one of ${known}, or ${otherwise}`);
}
