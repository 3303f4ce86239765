import { hash } from "node:crypto";
import type { Transaction } from "../engine/transaction.ts";
import { pathOfKey } from "../ingest/fact-paths.ts";
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
  return `{"bytes": ${bytes}, "sha1": "${hash("sha1", value, "hex")}"}`;
}

/** What the history of a fact set records. */
export interface RecordedFacts {
  /** Scalars and empty containers other than volatile ones by their path, a JSON array; JSON texts. */
  readonly values: State;
  /** Ids of `packages`. */
  readonly packages: readonly number[];
}

const none: RecordedFacts = { values: new Map(), packages: [] };

/** The scalars and empty containers of a prepared fact set that its history records, as {@link RecordedFacts.values}. */
export function recordedValues(data: PreparedFacts, volatile: VolatilePaths): State {
  const values = new Map<string, string>();
  for (const leaf of data.leaves) {
    const path = pathOfKey(leaf[0]);
    if (volatile.has(path)) continue;
    const value = leaf.length === 3 ? leaf[1] : data.facts[leaf[1]]?.[1];
    values.set(path, recordedText(value ?? ""));
  }
  for (const [path, value] of data.empty) if (!volatile.has(path)) values.set(path, value);
  return values;
}

/** Separators of texts: JSON texts have no control characters. */
const [FIELD, ROW] = ["\u0001", "\u0002"];

/** More paths than this are not cached. */
const MAX_PATHS = 500_000;

/** Reads stored fact sets as their history records them. */
export class StoredFacts {
  readonly #volatile: VolatilePaths;
  readonly #paths = new Map<number, string>();

  constructor(volatile: VolatilePaths) {
    this.#volatile = volatile;
  }

  /** Forgets the ids of paths. */
  clear(): void {
    this.#paths.clear();
  }

  /** The recorded content of the stored fact sets of some nodes. */
  async read(tx: Transaction, nodes: readonly number[]): Promise<(node: number) => RecordedFacts> {
    const of = (column: string): string => `${column} IN (SELECT unnest('[${nodes.join(",")}]'::INTEGER[]))`;
    const rows = await tx.rows<{ node: number; what: "values" | "empty" | "packages"; found: string }>(
      `SELECT node_id AS node, 'values' AS what,
          string_agg(path_id || chr(1) || ${recordedValue}, chr(2)) AS found
        FROM fact_leaves WHERE ${of("node_id")} GROUP BY node_id
      UNION ALL SELECT node_id, 'packages', list(package_id)::VARCHAR FROM node_packages
        WHERE ${of("node_id")} GROUP BY node_id
      UNION ALL SELECT node_id, 'empty', '{' || string_agg(to_json(name) || ':' || value, ',') || '}' FROM facts
        WHERE ${of("node_id")} AND value[1] IN ('{', '[') AND (contains(value, '[]') OR contains(value, '{}'))
        GROUP BY node_id`,
    );
    const found = new Map<number, { values: Map<string, string>; packages: readonly number[] }>();
    for (const { node, what, found: text } of rows) {
      let facts = found.get(node);
      if (facts === undefined) found.set(node, (facts = { values: new Map(), packages: [] }));
      if (what === "values") await this.#addValues(tx, facts.values, text);
      else if (what === "packages") facts.packages = JSON.parse(text) as number[];
      else this.#addEmpty(facts.values, parseJson(text) as JsonObject);
    }
    return (node) => found.get(node) ?? none;
  }

  #addEmpty(values: Map<string, string>, facts: JsonObject): void {
    for (const [path, value] of emptyContainers(facts)) if (!this.#volatile.has(path)) values.set(path, value);
  }

  async #addValues(tx: Transaction, values: Map<string, string>, text: string): Promise<void> {
    const rows = text.split(ROW).map((row): [number, string] => {
      const end = row.indexOf(FIELD);
      return [Number(row.slice(0, end)), row.slice(end + 1)];
    });
    await this.#learn(
      tx,
      rows.map(([id]) => id),
    );
    for (const [id, value] of rows) {
      const path = this.#paths.get(id);
      if (path !== undefined && !this.#volatile.has(path)) values.set(path, value);
    }
  }

  /** Reads the paths of ids that are not cached. */
  async #learn(tx: Transaction, ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !this.#paths.has(id));
    if (unknown.length === 0) return;
    if (this.#paths.size + ids.length > MAX_PATHS) this.#paths.clear();
    const wanted = ids.filter((id) => !this.#paths.has(id));
    const rows = await tx.rows<{ id: number; path: string }>(
      `SELECT id, path_json AS path FROM fact_paths WHERE id IN (SELECT unnest('[${wanted.join(",")}]'::INTEGER[]))`,
    );
    for (const { id, path } of rows) this.#paths.set(id, path);
  }
}
