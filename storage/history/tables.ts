import type { Cells } from "../ingest/write/append.ts";
import type { Timestamp } from "../time.ts";
import type { Difference } from "./differences.ts";

/** A recorded change. */
export interface Change extends Difference {
  readonly node: number;
  readonly changed: Timestamp;
  readonly transaction: string | null;
}

/** A table of changes, in the form that all of them share. */
export interface ChangeTable {
  readonly name: string;
  /** SQL of the columns `name`, `before`, `after` and `transaction`, all of them texts. */
  readonly columns: string;
  readonly cells: (change: Change) => readonly Cells[number][];
}

export const factsTable: ChangeTable = {
  name: "history_facts",
  columns: "path AS name, before, after, NULL AS transaction",
  cells: ({ node, name, before, after, changed }) => [node, name, before ?? null, after ?? null, changed],
};

/** Names of packages are those of `packages.ts`, values JSON lists of versions. */
export const packagesTable: ChangeTable = {
  name: "history_packages",
  columns: `name || chr(1) || provider AS name, nullif(to_json(before)::VARCHAR, '[]') AS before,
    nullif(to_json(after)::VARCHAR, '[]') AS after, NULL AS transaction`,
  cells: ({ node, name, before, after, changed }) => [node, ...twoParts(name), list(before), list(after), changed],
};

/** Names of resources are those of {@link resourceKey}, values ids of `resources`. */
export const resourcesTable: ChangeTable = {
  name: "history_resources",
  columns: `type || chr(1) || title AS name, before_id::VARCHAR AS before, after_id::VARCHAR AS after,
    transaction_uuid AS transaction`,
  cells: ({ node, name, before, after, changed, transaction }) => [
    node,
    ...twoParts(name),
    id(before),
    id(after),
    changed,
    transaction,
  ],
};

/** Names of edges are ids of `edges`. */
export const edgesTable: ChangeTable = {
  name: "history_edges",
  columns: `edge_id::VARCHAR AS name, if(came, NULL, '') AS before, if(came, '', NULL) AS after,
    transaction_uuid AS transaction`,
  cells: ({ node, name, after, changed, transaction }) => [
    node,
    Number(name),
    after !== undefined,
    changed,
    transaction,
  ],
};

export const nodesTable: ChangeTable = {
  name: "history_nodes",
  columns: "what AS name, before, after, transaction_uuid AS transaction",
  cells: ({ node, name, before, after, changed, transaction }) => [
    node,
    name,
    before ?? null,
    after ?? null,
    changed,
    transaction,
  ],
};

export function resourceKey(type: string, title: string): string {
  return `${type}\u0001${title}`;
}

function twoParts(name: string): readonly [string, string] {
  const end = name.indexOf("\u0001");
  return [name.slice(0, end), name.slice(end + 1)];
}

function list(versions: string | undefined): readonly string[] {
  return versions === undefined ? [] : (JSON.parse(versions) as string[]);
}

function id(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
