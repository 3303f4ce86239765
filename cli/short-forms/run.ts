import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { systemClock, type Timestamp } from "#storage/time.ts";
import { answerPlace, writeAnswer } from "../output/answer.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { Rows } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import type { Answer, OpenSource, QueryOptions } from "../sources/open-source.ts";
import { type ReadRows, rowReader } from "../sources/read-rows.ts";
import { openSource } from "../sources/source.ts";
import { stdout } from "../stdout.ts";
import type { ShortFormArguments } from "./options.ts";

/** A common query: its PQL, and how its rows are shown. */
export interface ShortForm {
  readonly name: string;
  /** @param now the time that durations are counted back from */
  readonly query: (now: Timestamp) => string;
  /** Whether the query has a limit, so that there may be more rows. */
  readonly isLimited?: boolean;
  /** Converts a row for output; default: unchanged. */
  readonly shape?: (row: JsonObject) => JsonObject;
  /** Computes the rows that are shown of all rows of the query. */
  readonly fold?: Fold;
  /** Writes the result if it has its own format. */
  readonly write?: (rows: Rows) => Promise<void>;
}

/** How rows are computed of all rows of a query. */
export interface Fold {
  /** @param readRows for what another query has to say */
  readonly rows: (
    rows: readonly JsonObject[],
    readRows: ReadRows,
  ) => readonly JsonObject[] | Promise<readonly JsonObject[]>;
  /** Rows that are shown; default: all. */
  readonly limit?: number | undefined;
}

/** Runs the query on the source of the command line, or prints it. */
export async function runShortForm(form: ShortForm, args: ShortFormArguments): Promise<void> {
  const { name, query, write } = form;
  const choice = chooseSource(name, args);
  const place = write === undefined ? answerPlace(args) : undefined;
  // Build the query before opening a source, to report invalid options first. Most queries do not depend on the time.
  const early = query(systemClock.now());
  const isTimeless = early === query(0n);
  if (args.pql === true && isTimeless) return stdout.write(`${early}\n`);
  const source = await openSource(choice);
  try {
    const text = isTimeless ? early : query(await source.now());
    if (args.pql === true) return await stdout.write(`${text}\n`);
    const withTotal = place?.format === "table" && form.isLimited === true;
    const { rows, total } = await answerOf(form, text, source, { withTotal, signal: place?.reader.signal });
    await (place === undefined ? write?.(rows) : writeAnswer(rows, place, { total, now: () => source.now() }));
  } finally {
    await source.close();
  }
}

/** Runs the query of a short form. */
export async function answerOf(
  form: ShortForm,
  query: string,
  source: OpenSource,
  options: QueryOptions = {},
): Promise<ShortFormAnswer> {
  const answer = await source.query(query, options);
  return form.fold === undefined ? shaped(answer, form) : folded(answer, form.fold, source);
}

/** The rows as they are shown. */
export interface ShortFormAnswer {
  readonly rows: Rows;
  /** To be called when all rows are written. */
  readonly total: () => number | undefined;
}

function shaped({ rows, total }: Answer, { shape = (row) => row }: ShortForm): ShortFormAnswer {
  return { rows: shapedRows(rows, shape), total: () => total };
}

async function* shapedRows(rows: Rows, shape: (row: JsonObject) => JsonObject): Rows {
  for await (const batch of rows) yield batch.map((row) => stringifyJson(shape(rowObject(row))));
}

function folded({ rows }: Answer, fold: Fold, source: OpenSource): ShortFormAnswer {
  let total = 0;
  async function* computed(): Rows {
    const all: JsonObject[] = [];
    for await (const batch of rows) for (const text of batch) all.push(rowObject(text));
    const result = await fold.rows(all, rowReader(source));
    total = result.length;
    yield result.slice(0, fold.limit).map(stringifyJson);
  }
  return { rows: computed(), total: () => total };
}
