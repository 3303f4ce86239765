import type { BooleanArgDef } from "citty";
import { type FileFormatKey, isFileFormat, rowFormats } from "#storage/output/format-names.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import type { Timestamp } from "#storage/time.ts";
import { hasColours } from "../colours.ts";
import { ReaderGone, UsageError } from "../errors.ts";
import type { ArgumentsOf, InGroup } from "../option-groups.ts";
import { outputOption } from "../options.ts";
import { stdout, type TextOutput } from "../stdout.ts";
import { checkEnding, formatByName, type OutputFormat, outputFormats } from "./formats.ts";
import type { Rows, WriteOptions } from "./rows.ts";
import { terminalOf } from "./terminal.ts";

/** The option of every command that shows a long result. */
export const pagerOption = {
  pager: {
    type: "boolean",
    default: true,
    description: "Show long results in a pager",
    negativeDescription: "Do not show long results in a pager",
    group: "output",
  },
} as const satisfies Record<string, BooleanArgDef & InGroup>;

/** The options for the output format and file. */
export const answerOptions = {
  output: outputOption(...outputFormats),
  out: {
    type: "string",
    valueHint: "FILE",
    description: "Write to FILE, atomically; its extension sets the format, e.g. .csv",
    group: "output",
  },
  wide: {
    type: "boolean",
    description: "Show all columns of a table in full, however long lines become",
    group: "output",
  },
  ...pagerOption,
} as const;

/** The values of {@link answerOptions}. */
export type AnswerArguments = ArgumentsOf<typeof answerOptions>;

/** Where a text goes. */
export interface TextPlace {
  readonly out: string | undefined;
  readonly wide: boolean;
  readonly isPaged: boolean;
  /** Aborted when the user quits the pager: nothing more needs to be found. */
  readonly reader: AbortController;
}

/** Format and destination of a result. */
export interface AnswerPlace extends TextPlace {
  readonly format: OutputFormat;
}

/** Properties of a result besides its rows. */
export interface AboutAnswer {
  /** The present time of the data. */
  readonly now?: () => Promise<Timestamp>;
  /** Rows that there are before limit and offset. */
  readonly total?: () => number | undefined;
  /** What a page in HTML says about it. */
  readonly page?: AboutPage | undefined;
  /** Columns that matter less in it than elsewhere. */
  readonly secondary?: readonly string[] | undefined;
}

/**
 * The output format and file of a command line, checked before the query runs.
 * @param usual the format on a terminal
 * @throws UsageError when they do not fit together
 */
export function answerPlace(args: AnswerArguments, usual: OutputFormat = "table"): AnswerPlace {
  const { out } = args;
  if (out !== undefined && args.output === undefined) checkEnding(out);
  const byName = out === undefined ? undefined : formatByName(out);
  const format = args.output ?? byName ?? (out === undefined && process.stdout.isTTY ? usual : "json");
  if (isFileFormat(format) && out === undefined) throw new UsageError(`--output ${format} needs a file: --out FILE`);
  return { format, ...textPlace(args) };
}

/** The destination of a text. */
export function textPlace({ out, wide = false, pager = true }: Omit<AnswerArguments, "output">): TextPlace {
  return { out, wide, isPaged: pager, reader: new AbortController() };
}

/**
 * Writes a result.
 * @throws CensusError "bad-file" when the file cannot be written; an existing file stays unchanged
 */
export async function writeAnswer(rows: Rows, place: AnswerPlace, about: AboutAnswer = {}): Promise<void> {
  const { format, out } = place;
  if (isFileFormat(format)) return writeFile(rows, format, out ?? "");
  const { writers } = await import("./writers.ts");
  const options = { ...lookOf(place), ...about };
  await writeText(place, (output) => writers[format](rows, output, options));
}

/** Writes to stdout, through a pager on a terminal, or to a file atomically. */
export async function writeText(place: TextPlace, write: (output: TextOutput) => Promise<void>): Promise<void> {
  const { out, wide, isPaged, reader } = place;
  if (out !== undefined) {
    const { writeTextAtomically } = await import("./atomic-file.ts");
    return writeTextAtomically(out, write);
  }
  if (!isPaged || !process.stdout.isTTY) return write(stdout);
  const { pagedStdout } = await import("./paged-stdout.ts");
  const paged = pagedStdout({ chops: wide, onLeave: () => reader.abort(new ReaderGone()) });
  if (paged === undefined) return write(stdout);
  try {
    await write(paged);
  } finally {
    await paged.close();
  }
}

/** How a place looks: a terminal, unless the result goes to a file. */
export function lookOf({ out, wide }: TextPlace): WriteOptions {
  const terminal = out === undefined ? terminalOf() : null;
  return {
    terminal: terminal !== null && wide ? { ...terminal, columns: Number.POSITIVE_INFINITY } : terminal,
    isColoured: out === undefined && hasColours(process.stdout),
  };
}

async function writeFile(rows: Rows, format: FileFormatKey, path: string): Promise<void> {
  const [{ isSpecial, writeAtomically }, { filesIn }] = await Promise.all([
    import("./atomic-file.ts"),
    import("#storage/output/formats.ts"),
  ]);
  if (isSpecial(path)) throw new UsageError(`--out ${path}: ${rowFormats[format].label} needs a regular file`);
  await writeAtomically(path, (folder) => filesIn[format](rows, folder));
}
