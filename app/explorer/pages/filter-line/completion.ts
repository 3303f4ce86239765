import { CensusError } from "#storage/errors.ts";
import { type Candidate, completePql } from "#storage/query/complete/complete.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { KnownValues } from "../pql/known-values.ts";

/** This module is loaded when the filter line is used for the first time: it contains the parser. */

export type { Candidate } from "#storage/query/complete/complete.ts";

/** What may come next in the line, and where it begins. */
export interface LineCompletion {
  readonly start: number;
  readonly candidates: readonly Candidate[];
}

const known = new KnownValues();
/** Most candidates offered. */
const MOST = 40;

/** What may come next at the cursor. @throws as `load` does, and when the signal is aborted */
export async function completeLine(
  entity: string,
  text: string,
  cursor: number,
  signal: AbortSignal,
): Promise<LineCompletion> {
  // The parenthesis keeps "order by" and the like out.
  const before = `${entity}{ (`;
  const query = before + text;
  const at = before.length + cursor;
  await known.prepare(query, at, signal);
  signal.throwIfAborted();
  const { start, candidates } = completePql(query, at, known);
  const useful = candidates.filter((candidate) => candidate.text !== text.slice(start - before.length, cursor));
  return { start: Math.max(0, start - before.length), candidates: useful.slice(0, MOST) };
}

/** What is wrong with the conditions, as advice; undefined when they are PQL. */
export function mistakeIn(entity: string, text: string): string | undefined {
  try {
    parsePql(`${entity}{ (${text}) }`);
    return undefined;
  } catch (error) {
    if (!(error instanceof CensusError)) throw error;
    return error.message.split("\n").findLast((line) => line.trim() !== "");
  }
}
