import { rowsOfIds } from "../engine/rows-of-ids.ts";
import { hash } from "node:crypto";
import type { Transaction } from "../engine/transaction.ts";
import type { PreparedFacts } from "../ingest/prepared.ts";
import type { RowText } from "../ingest/row-text.ts";
import { type JsonObject, parseJson } from "../json.ts";
import { emptyContainers } from "../wire/fact-leaves.ts";
import type { State } from "./differences.ts";
import type { VolatilePaths } from "./volatile-facts.ts";

/** Bytes of a value; of longer ones the digest is recorded. */
const MAX_VALUE = 4096;

/** A scalar is never an object with members, so that this is no value. */
const recordedValue = `if(strlen(value) <= ${MAX_VALUE}, value,
  concat('{"bytes": ', strlen(value), ', "sha1": "', sha1(value), '"}'))`;

/** What {@link recordedValue} computes. */
function recordedText(value: RowText): string {
  const isShort = typeof value === "string" && value.length * 3 <= MAX_VALUE;
  const bytes = isShort ? 0 : Buffer.byteLength(value);
  if (bytes <= MAX_VALUE) return typeof value === "string" ? value : Buffer.from(value).toString();
  return digestOfValue(bytes, hash("sha1", value, "hex"));
}

/** What is recorded in place of a long value. */
export function digestOfValue(bytes: number, sha1: string): string {
  return `{"bytes": ${bytes}, "sha1": ${JSON.stringify(sha1)}}`;
}

/** The scalars and empty containers of a prepared fact set that its history records, as {@link RecordedFacts.values}. */
export function recordedValues(data: PreparedFacts, volatile: VolatilePaths): State {
  const values = new Map<string, string>();
  for (const leaf of data.leaves) {
    const path = volatile.steadyPath(leaf[0]);
    if (path === undefined) continue;
    const value = leaf.length === 3 ? leaf[1] : data.facts[leaf[1]]?.[1];
    values.set(path, recordedText(value ?? ""));
  }
  for (const [path, value] of data.empty) if (!volatile.has(path)) values.set(path, value);
  return values;
}

/** Separators of texts: JSON texts have no control characters. */
const [FIELD, ROW] = ["\u0001", "\u0002"];

/** Reads stored fact sets as their history records them. */
export class StoredFacts {
  readonly #volatile: VolatilePaths;
  readonly #nodes: () => number | undefined;

  /** @param nodes how many nodes the store has; undefined while that is unknown */
  constructor(volatile: VolatilePaths, nodes: () => number | undefined) {
    this.#volatile = volatile;
    this.#nodes = nodes;
  }

  /** The scalars and empty containers of some nodes other than volatile ones, by their paths. */
  async values(tx: Transaction, nodes: readonly number[]): Promise<ReadonlyMap<number, State>> {
    const wideOf = this.#nodes() ?? Infinity;
    const found = new Map(nodes.map((node) => [node, new Map<string, string>()]));
    const rows = await tx.rows<{ node: number; found: string }>(
      `SELECT node_id AS node, string_agg(path_json || '${FIELD}' || ${recordedValue}, '${ROW}') AS found
        FROM ${rowsOfIds("fact_leaves", "node_id", nodes, wideOf)} l JOIN fact_paths p ON p.id = l.path_id GROUP BY node_id`,
    );
    for (const { node, found: text } of rows) {
      for (const row of text.split(ROW)) {
        const end = row.indexOf(FIELD);
        const path = row.slice(0, end);
        if (!this.#volatile.has(path)) found.get(node)?.set(path, row.slice(end + FIELD.length));
      }
    }
    for (const { node, facts } of await factsWithEmpty(tx, nodes, wideOf)) {
      for (const [path, value] of emptyContainers(parseJson(facts) as JsonObject)) {
        if (!this.#volatile.has(path)) found.get(node)?.set(path, value);
      }
    }
    return found;
  }

  /** Ids of the packages of some nodes. */
  async packages(tx: Transaction, nodes: readonly number[]): Promise<(node: number) => readonly number[]> {
    if (nodes.length === 0) return () => [];
    const rows = await tx.rows<{ node: number; ids: string }>(
      `SELECT node_id AS node, list(package_id)::VARCHAR AS ids FROM ${rowsOfIds("node_packages", "node_id", nodes)} GROUP BY node_id`,
    );
    const found = new Map(rows.map(({ node, ids }) => [node, JSON.parse(ids) as number[]]));
    return (node) => found.get(node) ?? [];
  }
}

/** The structured facts of some nodes that may have empty containers, as one JSON object. */
async function factsWithEmpty(
  tx: Transaction,
  nodes: readonly number[],
  wideOf: number,
): Promise<{ node: number; facts: string }[]> {
  if (nodes.length === 0) return [];
  return tx.rows(
    `SELECT node_id AS node, '{' || string_agg(to_json(name) || ':' || value, ',') || '}' AS facts FROM ${rowsOfIds("facts", "node_id", nodes, wideOf)}
      WHERE value[1] IN ('{', '[') AND (contains(value, '[]') OR contains(value, '{}'))
      GROUP BY node_id`,
  );
}
