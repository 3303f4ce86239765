import type { FullName, Overlay, OverlayTable } from "../engine/overlay.ts";
import type { Timestamp } from "../time.ts";
import { catalogEdges, catalogResources } from "./past-catalogs.ts";
import { factLeaves, factPaths, factsThen, knownPaths } from "./past-facts.ts";
import { pastNames, pastNodes } from "./past-nodes.ts";
import { knownPackages, nodePackages, pastPackages } from "./past-packages.ts";
import { dictionaryThen, type Past, rowsThen } from "./past-rows.ts";
import { historyTables } from "./state.ts";

/** A table of the past, and the SELECT of its rows. */
interface PastTable {
  readonly name: string;
  readonly select: (past: Past) => string;
}

/** Tables that do not change with what is stored later: they are computed once for a connection. */
const once: readonly PastTable[] = [
  { name: "nodes", select: pastNodes },
  ...Object.entries(pastNames).map(([name, select]) => ({ name, select })),
];

/** Views, each after those that it reads, so that each statement sees one state of the store, whatever is stored meanwhile. */
const views: readonly PastTable[] = [
  {
    name: "reports",
    select: ({ table, time }) => `SELECT rowid, * FROM ${table("reports")} WHERE producer_timestamp <= ${time}`,
  },
  {
    name: "events",
    select: ({ table, time }) => `SELECT e.rowid, e.* FROM ${table("events")} e
      ANTI JOIN (SELECT id FROM ${table("reports")} WHERE producer_timestamp > ${time}) r ON r.id = e.report_id`,
  },
  {
    name: "failures",
    select: ({ table, time }) => `SELECT rowid, * FROM ${table("failures")} WHERE produced <= ${time}`,
  },
  {
    name: "catalog_inputs",
    select: ({ table, time }) => `SELECT i.* FROM ${table("catalog_inputs")} i
      SEMI JOIN (SELECT id FROM ${table("nodes")} WHERE inputs_producer_timestamp <= ${time}) n ON n.id = i.node_id`,
  },
  ...historyTables.map((name) => ({
    name,
    select: ({ table, time }: Past) => `SELECT rowid, * FROM ${table(name)} WHERE changed <= ${time}`,
  })),
  { name: "facts", select: factsThen },
  ...[factLeaves, nodePackages, catalogResources, catalogEdges].map((rows) => ({
    name: rows.name,
    select: (past: Past) => rowsThen(rows, past),
  })),
  ...[knownPaths, factPaths, knownPackages, pastPackages].map((dictionary) => ({
    name: dictionary.name,
    select: (past: Past) => dictionaryThen(dictionary, past),
  })),
];

/**
 * The tables as they were at a time: what is stored now, without what changed since, and with what was there before.
 * @param generation other than before where the columns of nodes have changed
 */
export function pastTables(at: Timestamp, generation: number): Overlay {
  return { key: `${at} ${generation}`, tables: tablesAt(at, "") };
}

/** The tables of a time; their names begin with the prefix. */
function tablesAt(at: Timestamp, prefix: Past["prefix"]): OverlayTable[] {
  const made = (kind: "TABLE" | "VIEW", { select, name }: PastTable): OverlayTable => ({
    name: prefix + name,
    statements: (table) => [
      `CREATE TEMP ${kind} ${prefix}${name} AS ${select({ time: `make_timestamp(${at})`, prefix, table })}`,
    ],
  });
  return [...once.map((table) => made("TABLE", table)), ...views.map((view) => made("VIEW", view))];
}

/** What replaces the stored tables on a connection where their names are those of something else. */
export interface ReplacedTables {
  /** The statements that make the replacements; `table` returns the full name of a stored table. */
  readonly setUp: (table: FullName) => readonly string[];
  /** The full name of what is read in place of a stored table; `inJoin`: of what a join reads. */
  readonly nameOf: (name: string, table: FullName, inJoin?: boolean) => string;
}

/** The tables as they were at a time, beside views that have the names of stored tables. */
export function pastTablesBesides(at: Timestamp): ReplacedTables {
  const prefix = "past_";
  const names = new Set([...once, ...views].map(({ name }) => name));
  return {
    setUp: (table) => tablesAt(at, prefix).flatMap(({ statements }) => statements(table)),
    nameOf: (name, table, inJoin = false) => {
      const wanted = inJoin ? (pastDictionaries[name] ?? name) : name;
      return names.has(wanted) ? `temp.main.${prefix}${wanted}` : table(wanted);
    },
  };
}

/**
 * Dictionaries that joins read in place of tables, because they need not know which rows were in use: these also have rows
 * that no node had then.
 */
export const pastDictionaries: Readonly<Record<string, string>> = {
  fact_paths: knownPaths.name,
  packages: knownPackages.name,
};
