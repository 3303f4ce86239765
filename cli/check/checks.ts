import { readFile } from "node:fs/promises";
import { unreadable } from "#storage/archive/source.ts";
import { CensusError } from "#storage/errors.ts";
import { readQueryFile } from "#storage/saved-queries/read.ts";
import type { QueryFile, SavedQuery } from "#storage/saved-queries/types.ts";
import { oneLine, UsageError } from "../errors.ts";
import type { OpenSource } from "../sources/open-source.ts";
import { whyNothing } from "../names/why-nothing.ts";
import { notedRows } from "../output/noted-rows.ts";
import { unknownName } from "../unknown-name.ts";
import { expectedText } from "./expected.ts";
import { judge } from "./judge.ts";
import type { Outcome } from "./outcome.ts";
import { readQueryRows } from "./query-rows.ts";

/** A query of a file with its expectation. */
export interface Check {
  readonly path: string;
  readonly query: SavedQuery;
}

/** @throws UsageError when a file cannot be read */
async function readFileOfQueries(path: string, given: ReadonlyMap<string, string>): Promise<QueryFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(unreadable(path, error).message);
  });
  return readQueryFile(path, text, given);
}

/**
 * The checks of files, in order.
 * @throws CensusError "bad-input" naming what is wrong, and where
 */
export async function readChecks(paths: readonly string[], given: ReadonlyMap<string, string>): Promise<Check[]> {
  const files: QueryFile[] = [];
  for (const path of paths) files.push(await readFileOfQueries(path, given));
  checkGiven(files, given);
  const checks = files.flatMap(({ path, queries }) =>
    queries.filter(({ expectation }) => expectation !== undefined).map((query) => ({ path, query })),
  );
  if (checks.length === 0) throw new UsageError(`check: ${paths.join(", ")}: no query has expect`);
  for (const { path, query } of checks) {
    const [name] = query.unset;
    if (name !== undefined) {
      const message = `parameter ${name} has no value; add --param ${name}=VALUE, or a default`;
      throw checkError({ path, query }, new UsageError(message));
    }
  }
  return checks;
}

function checkGiven(files: readonly QueryFile[], given: ReadonlyMap<string, string>): void {
  const known = [...new Set(files.flatMap(({ parameters }) => [...parameters.keys()]))];
  for (const name of given.keys()) {
    if (known.includes(name)) continue;
    const otherwise = known.length === 0 ? "the file has no parameters" : `use ${known.join(", ")}`;
    throw unknownName("check: ", "parameter", name, known, otherwise);
  }
}

/** The sources of checks. */
export interface CheckedSources {
  readonly source: OpenSource;
  /** The source that it is compared with. */
  readonly against: OpenSource | undefined;
  /** Whether a check fails if its query names something that the source does not have. */
  readonly isStrict: boolean;
}

/** Makes the checks one after another; one that the source does not answer has failed. */
export async function runChecks(checks: readonly Check[], sources: CheckedSources): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of checks) outcomes.push(await runCheck(check, sources));
  return outcomes;
}

async function runCheck(check: Check, { source, against, isStrict }: CheckedSources): Promise<Outcome> {
  const { path, query } = check;
  const { expectation } = query;
  const began = performance.now();
  const outcome = { path, check: query, expected: expectation === undefined ? "" : expectedText(expectation) };
  if (expectation === undefined || (expectation.kind === "change" && against === undefined)) {
    return { ...outcome, status: "skipped", remarks: [], verdict: undefined, seconds: 0 };
  }
  try {
    const { rows, isNothing } = notedRows(await readQueryRows(query, source));
    const verdict = await judge(expectation, rows, async () => readQueryRows(query, against ?? source));
    const text = { text: query.text, isSql: query.language === "SQL" };
    const remarks = isNothing() && query.language !== "states" ? await whyNothing(text, source) : [];
    const seconds = (performance.now() - began) / 1000;
    const isMet = verdict.isMet && !(isStrict && remarks.length > 0);
    return { ...outcome, status: isMet ? "passed" : "failed", remarks, verdict, seconds };
  } catch (error) {
    if (!(error instanceof CensusError)) throw error;
    const seconds = (performance.now() - began) / 1000;
    const { message } = checkError(check, error);
    // Whatever its severity: nobody knows whether it would have failed.
    const broken = { ...query, severity: "error" } as const;
    return { ...outcome, check: broken, status: "failed", remarks: [], verdict: undefined, error: message, seconds };
  }
}

/** The error with the place of the query. */
function checkError({ path, query }: Check, error: CensusError): CensusError {
  const { line, column } = query.textPlace;
  const message = `${path}:${line}:${column}: ${query.name}: ${oneLine(error.message)}`;
  return new CensusError(error.code, message, { cause: error });
}
