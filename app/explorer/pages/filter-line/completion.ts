import { CensusError } from "#storage/errors.ts";
import { type Candidate, type Catalogue, completePql, valuesWanted } from "#storage/query/complete/complete.ts";
import { parsePql, PqlSyntaxError } from "#storage/query/pql/parse.ts";
import { type ValuePlace, valueSource } from "#storage/query/complete/values.ts";
import { isObject, stringifyJson } from "#storage/json.ts";
import { load } from "../data/load.ts";

/** Values offered for one place. */
const LIMIT = 50;

/** Values of fields for completion, fetched by ordinary queries. Reached by dynamic import only. */
class KnownValues implements Catalogue {
  readonly #values = new Map<string, readonly string[]>();

  /** Fetches the values that completion needs at the cursor. @throws as `load` does */
  async prepare(text: string, cursor: number, signal: AbortSignal): Promise<void> {
    const place = valuesWanted(text, cursor);
    if (place === undefined || this.#values.has(keyOf(place))) return;
    const source = valueSource(place, LIMIT);
    if (source === undefined) return;
    if (source.kind === "known") {
      this.#values.set(keyOf(place), source.values);
      return;
    }
    const { value } = await load({ path: "/pdb/query/v4", parameters: { query: stringifyJson(source.query) } }, signal);
    const rows = Array.isArray(value) ? value.filter(isObject) : [];
    this.#values.set(
      keyOf(place),
      rows.flatMap((row) => source.read(row[source.column]) ?? []),
    );
  }

  values(place: ValuePlace): readonly string[] | undefined {
    return this.#values.get(keyOf(place));
  }
}

function keyOf(place: ValuePlace): string {
  return JSON.stringify([place.entity, place.field, place.typed, place.narrowed]);
}

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

/** What keeps a text from being applied. */
export interface LineMistake {
  /** What to write instead. */
  readonly advice: string;
  /** Whether the text may become PQL by writing on. */
  readonly isIncomplete: boolean;
}

/** What is wrong with the conditions; undefined when they are PQL. */
export function mistakeIn(entity: string, text: string): LineMistake | undefined {
  const error = errorOf(`${entity}{ (${text}) }`);
  if (error === undefined) return undefined;
  const whileWriting = errorOf(`${entity}{ (${text}`);
  return {
    advice: error.message.split("\n").findLast((line) => line.trim() !== "") ?? error.message,
    isIncomplete: whileWriting instanceof PqlSyntaxError && whileWriting.found === "",
  };
}

function errorOf(query: string): CensusError | undefined {
  try {
    parsePql(query);
    return undefined;
  } catch (error) {
    if (error instanceof CensusError) return error;
    throw error;
  }
}

/** Whether a word may be the beginning of a field or of a subquery, rather than a word to search for. */
export function isBegun(entity: string, word: string): boolean {
  const before = `${entity}{ (`;
  const { candidates } = completePql(before + word, before.length + word.length, known);
  return candidates.some(({ kind }) => kind === "field" || kind === "entity");
}
