import type { FullName, Overlay, OverlayTable } from "../engine/overlay.ts";
import type { TableVersions } from "../engine/table-versions.ts";
import type { Timestamp } from "../time.ts";
import { catalogEdges, catalogResources } from "./past-catalogs.ts";
import { factLeaves, factPaths, knownPaths, pastFacts, plainFacts } from "./past-facts.ts";
import { pastNames, pastNodes } from "./past-nodes.ts";
import { knownPackages, nodePackages, pastPackages } from "./past-packages.ts";
import {
  type CountedRows,
  countedRows,
  type Past,
  pastDictionary,
  pastRows,
  plainDictionary,
  plainRows,
  rowCountsName,
} from "./past-rows.ts";
import { historyTables } from "./state.ts";

const ofNodes = [factLeaves, nodePackages, catalogResources, catalogEdges];

/** The tables whose rows are counted by node: the rows of each are looked up among those that changed, which takes time. */
const rowCounts: readonly CountedRows[] = [
  { name: "facts", history: "history_facts" },
  factLeaves,
  nodePackages,
  { ...catalogResources, countedBy: ["type"] },
  catalogEdges,
];

/**
 * The tables as they were at a time: what is stored now, without what changed since, and with what was there before. They are
 * views, so that each statement sees one state of the store, whatever is stored meanwhile. What changed since is computed
 * again when more is recorded, the columns of nodes once for each connection.
 * @param generation other than before where the columns of nodes have changed
 */
export function pastTables(at: Timestamp, generation: number, versions: TableVersions): Overlay {
  const pastOf = (table: FullName): Past => ({ time: `make_timestamp(${at})`, prefix: "", table });
  return {
    key: `${at} ${generation}`,
    tables: [
      ...onceComputed(pastOf),
      ...Object.entries(filtered).map(([name, select]) => ({
        name,
        statements: (table: FullName) => [`CREATE OR REPLACE TEMP VIEW ${name} AS ${select(pastOf(table))}`],
      })),
      pastFacts(pastOf, versions),
      ...ofNodes.map((each) => pastRows(each, pastOf, versions)),
      ...rowCounts.map((each) => countedRows(each, versions)),
      ...[knownPaths, factPaths, knownPackages, pastPackages].map((each) => pastDictionary(each, pastOf, versions)),
    ],
  };
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
  const pastOf = (table: FullName): Past => ({ time: `make_timestamp(${at})`, prefix, table });
  const once = onceComputed(pastOf);
  const names = new Set([...once.map(({ name }) => name), ...Object.keys(plainViews(pastOf(String)))]);
  return {
    setUp: (table) => [
      ...once.flatMap(({ statements }) => statements(table)),
      ...Object.entries(plainViews(pastOf(table))).map(
        ([name, select]) => `CREATE TEMP VIEW ${prefix}${name} AS ${select}`,
      ),
    ],
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

/** The tables with the numbers of rows, by those with the rows. */
export const pastRowCounts = Object.fromEntries(
  rowCounts.map(({ name, countedBy = [] }) => [name, { table: rowCountsName(name), columns: countedBy }]),
);

/** Tables that do not change with what is stored later. */
function onceComputed(pastOf: (table: FullName) => Past): OverlayTable[] {
  return [
    { name: "nodes", select: pastNodes },
    ...Object.entries(pastNames).map(([name, select]) => ({ name, select, reads: ["nodes"] })),
  ].map(({ select, ...table }) => ({
    ...table,
    statements: (full) => {
      const past = pastOf(full);
      return [`CREATE OR REPLACE TEMP TABLE ${past.prefix}${table.name} AS ${select(past)}`];
    },
  }));
}

/** SELECTs of all rows of tables whose rows have a time themselves. */
const filtered: Readonly<Record<string, (past: Past) => string>> = {
  reports: ({ table, time }) => `SELECT rowid, * FROM ${table("reports")} WHERE producer_timestamp <= ${time}`,
  events: ({ table, time }) => `SELECT e.rowid, e.* FROM ${table("events")} e
    ANTI JOIN (SELECT id FROM ${table("reports")} WHERE producer_timestamp > ${time}) r ON r.id = e.report_id`,
  failures: ({ table, time }) => `SELECT rowid, * FROM ${table("failures")} WHERE produced <= ${time}`,
  catalog_inputs: ({ table, time }) => `SELECT i.* FROM ${table("catalog_inputs")} i
    SEMI JOIN (SELECT id FROM ${table("nodes")} WHERE inputs_producer_timestamp <= ${time}) n ON n.id = i.node_id`,
  ...Object.fromEntries(
    historyTables.map((name) => [
      name,
      ({ table, time }: Past) => `SELECT rowid, * FROM ${table(name)} WHERE changed <= ${time}`,
    ]),
  ),
};

/** SELECTs of views that are right whatever is stored meanwhile, each after those that it reads. */
function plainViews(past: Past): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(filtered).map(([name, select]) => [name, select(past)])),
    facts: plainFacts(past),
    ...Object.fromEntries(ofNodes.map((each) => [each.name, plainRows(each, past)])),
    ...Object.fromEntries(
      [knownPaths, factPaths, knownPackages, pastPackages].map((each) => [each.name, plainDictionary(each, past)]),
    ),
  };
}
