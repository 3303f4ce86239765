import { CensusError } from "#storage/errors.ts";
import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { systemClock, type Timestamp } from "#storage/time.ts";
import { answerPlace, writeAnswer } from "../output/answer.ts";
import { aboutResult } from "../output/page-of.ts";
import { rowObject } from "#storage/output/cells.ts";
import { checkNames } from "../names/check.ts";
import type { UsedName } from "../names/used-name.ts";
import { objectsOf, type Rows } from "../output/rows.ts";
import { chooseSource } from "../sources/choice.ts";
import { UsageError } from "../errors.ts";
import type { Answer, OpenSource, Paging, QueryOptions } from "../sources/open-source.ts";
import { readOrderBy } from "../sources/paging.ts";
import { type ReadRows, rowReader } from "../sources/read-rows.ts";
import { withSource } from "../sources/source.ts";
import { startedRows } from "../sources/started-rows.ts";
import { stdout } from "../stdout.ts";
import { ordered } from "./groups.ts";
import type { ShortFormArguments } from "./options.ts";

/** A common query: its PQL, and how its rows are shown. */
export interface ShortForm {
  readonly name: string;
  /** @param now the time that durations are counted back from */
  readonly query: (now: Timestamp) => string;
  /** The same with what the source says, e.g. when a node is silent there. */
  readonly complete?: (source: OpenSource) => Promise<ShortForm>;
  /** Whether the query has a limit, so that there may be more rows. */
  readonly isLimited?: boolean;
  /** Converts a row for output; default: unchanged. */
  readonly shape?: (row: JsonObject) => JsonObject;
  /** Computes the rows that are shown of all rows of the query. */
  readonly fold?: Fold;
  /** Columns of the table that matter less in it than elsewhere. */
  readonly secondary?: readonly string[];
  /** The names that the query is about, checked when it has no rows. */
  readonly names?: readonly UsedName[];
  /** The same about the node or report whose short name was given. */
  readonly withFullName?: (name: string) => ShortForm;
  /** What is meant instead where the query has no rows; undefined: nothing else. Called before names are checked. */
  readonly instead?: (readRows: ReadRows) => Promise<ShortForm | undefined>;
  /** Why the result may have no rows although the source has all names: a line each. May throw where that is an error. */
  readonly whyEmpty?: WhyEmpty;
  /** A query about what the result leaves out, and what is said of its rows; undefined: nothing is left out. */
  readonly leftOut?: LeftOut;
  /** Writes the result if it has its own format. */
  readonly write?: (rows: Rows) => Promise<void>;
}

/** Explains a result without rows. */
export type WhyEmpty = (readRows: ReadRows) => Promise<readonly string[]>;

/** What a result leaves out. */
export interface LeftOut {
  readonly query: (now: Timestamp) => string;
  readonly remark: (rows: readonly JsonObject[]) => string | undefined;
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
export async function runShortForm(given: ShortForm, args: ShortFormArguments): Promise<void> {
  const { name, write } = given;
  const choice = chooseSource(name, args);
  const place = write === undefined ? answerPlace(args) : undefined;
  // Build the query before opening a source, to report invalid options first. Most queries do not depend on the time.
  const early = given.query(systemClock.now());
  const orderBy = readOrderBy(args["order-by"]);
  if (args.pql === true && orderBy !== undefined) throw new UsageError(`${name}: --pql does not print --order-by`);
  const isTimeless = early === given.query(0n);
  if (args.pql === true && isTimeless) return stdout.write(`${early}\n`);
  await withSource(choice, undefined, async (source) => {
    const form = (await given.complete?.(source)) ?? given;
    const now = isTimeless ? 0n : await source.now();
    if (args.pql === true) return stdout.write(`${form.query(now)}\n`);
    const withTotal = (place?.format === "table" || place?.format === "html") && form.isLimited === true;
    const { rows, total, meant } = await answerOf(form, now, source, {
      withTotal,
      signal: place?.reader.signal,
      paging: { orderBy },
    });
    if (meant.write !== undefined) return meant.write(rows);
    const written = place ?? answerPlace(args);
    await writeAnswer(rows, written, {
      ...aboutResult(source, { title: `Census ${name}`, query: meant.query(now) }),
      total,
      secondary: meant.secondary,
    });
    if (written.format === "table") await remarkLeftOut(meant, now, source);
  });
}

/** Runs the query of a short form. If it has no rows, its names are checked, and it is run again with a short one in full. */
export async function answerOf(
  form: ShortForm,
  now: Timestamp,
  source: OpenSource,
  options: QueryOptions = {},
): Promise<ShortFormAnswer> {
  const { name, names = [], withFullName, instead, whyEmpty } = form;
  // What is computed of all rows is ordered afterwards.
  const { orderBy } = options.paging ?? {};
  const answer = await source.query(form.query(now), form.fold === undefined ? options : { ...options, paging: {} });
  if (names.length === 0 && instead === undefined && whyEmpty === undefined)
    return formed(answer, form, source, orderBy);
  const { rows, isEmpty } = await startedRows(answer.rows);
  if (isEmpty) {
    const readRows = rowReader(source, options.signal);
    const other = await instead?.(readRows);
    if (other !== undefined) return answerOf(other, now, source, options);
    const { fullName, remarks } = await checkNames(`${name}: `, names, readRows);
    for (const line of remarks) process.stderr.write(`${line}\n`);
    if (fullName !== undefined && withFullName !== undefined) {
      const { instead: _, ...full } = withFullName(fullName);
      return answerOf(
        { ...full, names: [], ...(form.write === undefined ? {} : { write: form.write }) },
        now,
        source,
        options,
      );
    }
    for (const line of (await whyEmpty?.(readRows)) ?? []) process.stderr.write(`${line}\n`);
  }
  return formed({ rows, total: answer.total }, form, source, orderBy);
}

function formed(answer: Answer, form: ShortForm, source: OpenSource, orderBy: Paging["orderBy"]): ShortFormAnswer {
  const result = form.fold === undefined ? shaped(answer, form) : folded(answer, form.fold, source, orderBy);
  return { ...result, meant: form };
}

async function remarkLeftOut({ leftOut }: ShortForm, now: Timestamp, source: OpenSource): Promise<void> {
  if (leftOut === undefined) return;
  const rows = await rowReader(source)(leftOut.query(now)).catch((error: unknown) => {
    // PuppetDB before version 6 knows no types of reports.
    if (error instanceof CensusError && error.code === "bad-input") return [];
    throw error;
  });
  const remark = leftOut.remark(rows);
  if (remark !== undefined) process.stderr.write(`${remark}\n`);
}

/** The rows as they are shown. */
interface ShownRows {
  readonly rows: Rows;
  /** To be called when all rows are written. */
  readonly total: () => number | undefined;
}

/** The rows, and the form that they are the answer to: with names in full, or what was meant instead. */
export interface ShortFormAnswer extends ShownRows {
  readonly meant: ShortForm;
}

function shaped({ rows, total }: Answer, { shape = (row) => row }: ShortForm): ShownRows {
  return { rows: shapedRows(rows, shape), total: () => total };
}

async function* shapedRows(rows: Rows, shape: (row: JsonObject) => JsonObject): Rows {
  for await (const batch of rows) yield batch.map((row) => stringifyJson(shape(rowObject(row))));
}

function folded({ rows }: Answer, fold: Fold, source: OpenSource, orderBy: Paging["orderBy"] = []): ShownRows {
  let total = 0;
  async function* computed(): Rows {
    const result = ordered(await fold.rows(await objectsOf(rows), rowReader(source)), orderBy);
    total = result.length;
    yield result.slice(0, fold.limit).map(stringifyJson);
  }
  return { rows: computed(), total: () => total };
}
