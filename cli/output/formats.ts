import { extname } from "node:path";
import {
  type RowFormatKey,
  rowFormatKeys,
  rowFormats,
  type TextFormatKey,
  textFormatKeys,
} from "#storage/output/format-names.ts";
import { UsageError } from "../errors.ts";

/** The text formats, for files and stdout. */
export const textFormats = ["table", ...textFormatKeys] as const;

export type TextFormat = "table" | TextFormatKey;

/** All output formats. */
export const outputFormats = ["table", ...rowFormatKeys] as const;

export type OutputFormat = "table" | RowFormatKey;

/** Of several formats with one extension, the first has it. A list of names may be meant by a text file, or not. */
const endings: Readonly<Record<string, OutputFormat>> = {
  ...Object.fromEntries(
    rowFormatKeys
      .filter((format) => format !== "names")
      .toReversed()
      .map((format) => [`.${rowFormats[format].extension}`, format]),
  ),
  ".jsonl": "ndjson",
};

/** The format of a file's extension, if it has a known one. */
export function formatByName(path: string): OutputFormat | undefined {
  return endings[extname(path).toLowerCase()];
}

/**
 * Rejects a file with an unknown extension: a `.docx` must not contain JSON. A name without an extension, such as a
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
