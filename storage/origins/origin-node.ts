import { CensusError } from "../errors.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { NodeRow } from "../nodes/columns.ts";
import { parseTimestamp, type Timestamp } from "../time.ts";

/** What a server lists of a node, whatever its state. Times are in milliseconds there, so here they end in 000. */
export interface ListedNode {
  readonly certname: string;
  /** When the server received the fact set and the catalog that it has; null: it has none. */
  readonly facts_timestamp: Timestamp | null;
  readonly catalog_timestamp: Timestamp | null;
  readonly inputs_produced: Timestamp | null;
  readonly inputs_uuid: string | null;
  /** Of the latest report. */
  readonly report_hash: string | null;
  readonly deactivated: Timestamp | null;
  readonly expired: Timestamp | null;
  /** Null where it is not configured. */
  readonly expires_facts: boolean | null;
  readonly expires_facts_updated: Timestamp | null;
}

/** What is stored here of it, as its server lists it. */
export interface NotedNode extends ListedNode {
  /** The producer's times, and the server's hashes, which are others than ours where it has changed values. */
  readonly facts_produced: Timestamp | null;
  readonly facts_hash: string | null;
  readonly catalog_produced: Timestamp | null;
  readonly catalog_hash: string | null;
}

const nothing: Omit<NotedNode, "certname"> = {
  facts_timestamp: null,
  facts_produced: null,
  facts_hash: null,
  catalog_timestamp: null,
  catalog_produced: null,
  catalog_hash: null,
  inputs_produced: null,
  inputs_uuid: null,
  report_hash: null,
  deactivated: null,
  expired: null,
  expires_facts: null,
  expires_facts_updated: null,
};

/** The columns of `origin_nodes` after the first two, in their order. */
export const notedColumns = Object.keys(nothing) as Exclude<keyof NotedNode, "certname">[];

/** A node of which nothing is stored. */
export function notedNothing(certname: string): NotedNode {
  return { certname, ...nothing };
}

/** The columns of a listed node after its name. */
export const listedColumns = [
  "facts_timestamp",
  "catalog_timestamp",
  "inputs_produced",
  "inputs_uuid",
  "report_hash",
  "deactivated",
  "expired",
  "expires_facts",
  "expires_facts_updated",
] as const satisfies (keyof ListedNode)[];

/** The columns that say which state a node is in. */
export const stateColumns = ["deactivated", "expired", "expires_facts", "expires_facts_updated"] as const;

/** The state of a node, as its server lists it. */
export type ListedState = Pick<ListedNode & NodeRow, (typeof stateColumns)[number]>;

export function stateOf({ deactivated, expired, expires_facts, expires_facts_updated }: ListedState): ListedState {
  return { deactivated, expired, expires_facts, expires_facts_updated };
}

/**
 * Reads a row of `nodes` with `include_facts_expiration`.
 * @param inputs rows of `catalog-inputs` by name
 * @throws CensusError "bad-file" for anything else
 */
export function listedNode(row: Json, inputs: ReadonlyMap<string, JsonObject>): ListedNode {
  const fields = fieldsOf(row, "node");
  const certname = textOf(fields, "certname");
  const updated = timeOf(fields, "expires_facts_updated");
  const ofInputs = inputs.get(certname) ?? {};
  return {
    certname,
    facts_timestamp: timeOf(fields, "facts_timestamp"),
    catalog_timestamp: timeOf(fields, "catalog_timestamp"),
    inputs_produced: timeOf(ofInputs, "producer_timestamp"),
    inputs_uuid: textOrNull(ofInputs, "catalog_uuid"),
    report_hash: textOrNull(fields, "latest_report_hash"),
    deactivated: timeOf(fields, "deactivated"),
    expired: timeOf(fields, "expired"),
    // It is true where nothing is configured.
    expires_facts: updated === null ? null : fields["expires_facts"] === true,
    expires_facts_updated: updated,
  };
}

/** @throws CensusError "bad-file" where a row of an answer is no object */
export function fieldsOf(row: Json, what: string): JsonObject {
  if (isObject(row)) return row;
  throw new CensusError("bad-file", `the answer has a ${what} that is no object: ${JSON.stringify(row).slice(0, 80)}`);
}

/** @throws CensusError "bad-file" where it is none */
export function textOf(fields: JsonObject, name: string): string {
  const value = fields[name];
  if (typeof value === "string" && value !== "") return value;
  throw new CensusError("bad-file", `the answer has a row without ${name}: ${JSON.stringify(fields).slice(0, 80)}`);
}

export function textOrNull(fields: JsonObject, name: string): string | null {
  return fields[name] == null ? null : textOf(fields, name);
}

/** @throws CensusError "bad-file" for a text that is no time */
export function timeOf(fields: JsonObject, name: string): Timestamp | null {
  const text = textOrNull(fields, name);
  if (text === null) return null;
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw new CensusError("bad-file", `the answer has ${name} ${JSON.stringify(text.slice(0, 40))}, which is no time`);
}
