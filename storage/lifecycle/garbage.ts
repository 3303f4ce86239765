import { isOneOf } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import { deleteRows, type Work } from "./work.ts";

/*
 * What nodes share is stored once, and remains after the last node has stopped using it until it is collected
 * (`reference/lifecycle.md §6`). What is unused is determined outside of a transaction, because that reads all catalogs or all
 * facts, and commands would wait for it. Then it is deleted in portions, except what commands use by then. Used ids are made
 * distinct first: a join with all uses of a large fleet would need more than the engine's memory.
 */

/** Ids deleted in one transaction, because commands wait for it. */
const PORTION = 10_000;

/** A dictionary, and where its ids are used. */
interface Dictionary {
  readonly table: "packages" | "resources" | "edges";
  readonly uses: readonly (readonly [column: string, table: string])[];
  /** A table with rows that belong to those of the dictionary, and the column with their id. */
  readonly parts?: readonly [table: string, column: string];
}

const packages: Dictionary = { table: "packages", uses: [["package_id", "node_packages"]] };

const resources: Dictionary = {
  table: "resources",
  uses: [
    ["resource_id", "catalog_resources"],
    ["before_id", "history_resources"],
    ["after_id", "history_resources"],
  ],
  parts: ["resource_parameters", "resource_id"],
};

const edges: Dictionary = {
  table: "edges",
  uses: [
    ["edge_id", "catalog_edges"],
    ["edge_id", "history_edges"],
  ],
};

/** Deletes packages that no node has. */
export async function collectPackages(work: Work): Promise<number> {
  return collectFrom(work, packages);
}

/** Deletes resources and edges that no catalog has and no recorded change refers to, and unused environments. */
export async function collectCatalogs(work: Work): Promise<number> {
  let collected = 0;
  for (const dictionary of [resources, edges]) collected += await collectFrom(work, dictionary);
  work.signal.throwIfAborted();
  const deleted = await work.inTransaction(async (tx, caches) => {
    const count = await deleteRows(
      tx,
      "environments",
      `DELETE FROM environments WHERE name NOT IN (${environmentsInUse})`,
    );
    if (count > 0) caches.clearDictionaries();
    return count;
  });
  return collected + deleted;
}

const environmentsInUse = [
  ["facts_environment", "nodes"],
  ["catalog_environment", "nodes"],
  ["environment", "reports"],
]
  .map(([column, table]) => `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
  .join(" UNION ");

/** Deletes fact paths that no fact set has; the path of a structured fact has no leaf of its own. */
export async function collectFactPaths(work: Work): Promise<number> {
  const structured = "value[1] IN ('{', '[') AND value NOT IN ('{}', '[]')";
  const unused = (ofPaths: string, ofNames: string): string =>
    `id NOT IN (SELECT DISTINCT path_id FROM fact_leaves WHERE ${ofPaths}) AND NOT (type = 'json' AND name IN (
      SELECT DISTINCT name FROM facts WHERE ${ofNames} AND ${structured}))`;
  const found = await work.rows<{ id: number }>(`SELECT id FROM fact_paths WHERE ${unused("true", "true")}`);
  return inPortions(work, found, async (tx, ids) => {
    const isOfPortion = isOneOf("id", ids);
    const names = `name IN (SELECT name FROM fact_paths WHERE ${isOfPortion})`;
    return deleteRows(
      tx,
      "fact_paths",
      `DELETE FROM fact_paths WHERE ${isOfPortion} AND ${unused(isOneOf("path_id", ids), names)}`,
    );
  });
}

/** Deletes what catalogs and facts do not use any more. */
export async function collectOthers(work: Work): Promise<number> {
  return (await collectCatalogs(work)) + (await collectFactPaths(work));
}

/** The spacers of a row have its negated id (`storage/ingest/write/spaced-rows.ts`), and are deleted with it. */
async function collectFrom(work: Work, { table, uses, parts }: Dictionary): Promise<number> {
  const inUse = (condition: (column: string) => string): string =>
    uses.map(([column, user]) => `SELECT DISTINCT ${column} FROM ${user} WHERE ${condition(column)}`).join(" UNION ");
  const all = inUse((column) => `${column} IS NOT NULL`);
  const found = await work.rows<{ id: number }>(`SELECT id FROM ${table} WHERE id > 0 AND id NOT IN (${all})`);
  return inPortions(work, found, async (tx, ids) => {
    const stillUsed = inUse((column) => isOneOf(column, ids));
    const deleted = await tx.returning<{ id: number }>(
      table,
      `DELETE FROM ${table} WHERE ${isOneOf("abs(id)", ids)} AND abs(id) NOT IN (${stillUsed}) RETURNING id`,
    );
    if (parts === undefined || deleted.length === 0) return deleted.length;
    const [name, column] = parts;
    const deletedIds = deleted.map(({ id }) => Math.abs(id));
    const isOfDeleted = isOneOf(`abs(${column})`, deletedIds);
    return deleted.length + (await deleteRows(tx, name, `DELETE FROM ${name} WHERE ${isOfDeleted}`));
  });
}

/**
 * Deletes rows of dictionaries in portions.
 * @param remove receives a portion of the ids; returns how many rows it deleted
 */
async function inPortions(
  work: Work,
  found: readonly { readonly id: number }[],
  remove: (tx: Transaction, ids: readonly number[]) => Promise<number>,
): Promise<number> {
  let deleted = 0;
  for (let from = 0; from < found.length; from += PORTION) {
    work.signal.throwIfAborted();
    const ids = found.slice(from, from + PORTION).map(({ id }) => id);
    deleted += await work.inTransaction(async (tx, caches) => {
      const count = await remove(tx, ids);
      if (count > 0) caches.clearDictionaries();
      return count;
    });
  }
  return deleted;
}
