import { UsageError } from "../errors.ts";
import { outputOption } from "../options.ts";
import { stdout, type TextOutput } from "../stdout.ts";
import { checkEnding, formatByName, type OutputFormat, outputFormats } from "./formats.ts";
import type { Rows, WriteOptions } from "./rows.ts";

/** The options for the output format and file. */
export const answerOptions = {
  output: outputOption(...outputFormats),
  out: {
    type: "string" as const,
    valueHint: "FILE",
    description: "Write to FILE, atomically; its extension sets the format, e.g. .csv",
  },
  wide: { type: "boolean" as const, description: "Do not truncate table cells" },
};

/** The values of {@link answerOptions}. */
export interface AnswerArguments {
  readonly output?: OutputFormat | undefined;
  readonly out?: string | undefined;
  readonly wide?: boolean | undefined;
}

/** Format and destination of a result. */
export interface AnswerPlace {
  readonly format: OutputFormat;
  readonly out: string | undefined;
  readonly wide: boolean;
}

/**
 * The output format and file of a command line, checked before the query runs.
 * @param usual the format on a terminal
 * @throws UsageError when they do not fit together
 */
export function answerPlace(args: AnswerArguments, usual: OutputFormat = "table"): AnswerPlace {
  const { out, wide = false } = args;
  if (out !== undefined && args.output === undefined) checkEnding(out);
  const byName = out === undefined ? undefined : formatByName(out);
  const format = args.output ?? byName ?? (out === undefined && process.stdout.isTTY ? usual : "json");
  if (format === "parquet" && out === undefined) throw new UsageError("--output parquet needs a file: --out FILE");
  return { format, out, wide };
}

/**
 * Writes a result.
 * @throws CensusError "bad-file" when the file cannot be written; an existing file stays unchanged
 */
export async function writeAnswer(rows: Rows, { format, out, wide }: AnswerPlace): Promise<void> {
  if (format === "parquet") return writeParquetFile(rows, out ?? "");
  const { writers } = await import("./writers.ts");
  const options = widthOf({ out, wide });
  await writeText(out, (output) => writers[format](rows, output, options));
}

/** Writes to stdout, or to a file atomically. */
export async function writeText(out: string | undefined, write: (output: TextOutput) => Promise<void>): Promise<void> {
  if (out === undefined) return write(stdout);
  const { writeTextAtomically } = await import("./atomic-file.ts");
  await writeTextAtomically(out, write);
}

/** Cells are truncated on terminals only. */
export function widthOf({ out, wide }: Pick<AnswerArguments, "out" | "wide">): WriteOptions {
  return wide === true || out !== undefined ? { columns: Number.POSITIVE_INFINITY } : {};
}

async function writeParquetFile(rows: Rows, path: string): Promise<void> {
  const [{ isSpecial, writeAtomically }, { writeParquet }] = await Promise.all([
    import("./atomic-file.ts"),
    import("#storage/parquet/write.ts"),
  ]);
  if (isSpecial(path)) throw new UsageError(`--out ${path}: Parquet needs a regular file`);
  await writeAtomically(path, (folder) => writeParquet(rows, folder));
}
