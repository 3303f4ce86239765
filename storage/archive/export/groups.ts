import type { Snapshot } from "../../engine/snapshot.ts";
import type { SqlValue } from "../../engine/sql-value.ts";
import { longTextSizes } from "../../ingest/write/long-texts.ts";
import type { ArchiveCommandName } from "../contents.ts";
import { catalog, edge, expiration, facts, inputs, report, resource } from "./documents.ts";
import { gapSql } from "./gaps.ts";
import { documentColumns, documentSql, linesSql, type Pair, value } from "./json-sql.ts";
import type { Shared } from "./shared-lines.ts";

/** The members of one kind: their rows, and how members are made of them. */
export interface Group {
  readonly command: ArchiveCommandName;
  /** The table with a row per member, and the condition on its rows. */
  readonly from: "nodes" | "reports";
  readonly where: string;
  /**
   * One text per row with an id above $1 and at most $2: the parts of the member's name as a list, a line feed, the
   * member. With {@link hasLongRows} there are several texts in sequence; those at odd positions are JSON, and `null`
   * where they are NULL.
   */
  readonly sql: string;
  /** The same for a range that ends with a very long member: its long lines are gaps. */
  readonly longSql?: string;
  /** The value of `$3`, where `sql` has one. */
  readonly third?: (at: Snapshot) => Promise<SqlValue>;
  /** SQL of the ids of rows with long members, and a lower bound of their characters. */
  readonly sizes?: string;
  /** What members have in common; there are gaps for it. */
  readonly shared?: readonly Shared[];
  /**
   * The documents are in the rows themselves, rather than collected from other tables, and are joined when they are
   * written.
   */
  readonly hasLongRows?: boolean;
  /**
   * Reads several ranges in parallel. Not where lines are collected into long texts: there compressing takes as long as
   * reading through one view. Long rows are read one range after another.
   */
  readonly inParallel?: boolean;
}

const reportName = `CASE WHEN r.id IN (SELECT unnest($3::BIGINT[])) THEN r.hash ELSE ${hashOf("r.producer_timestamp")} END`;

const resources = {
  dictionary: "resources",
  key: "id",
  uses: { star: "catalog_resources", id: "resource_id" },
  line: resource,
} as const satisfies Shared;
const edges = {
  dictionary: "edges",
  key: "id",
  uses: { star: "catalog_edges", id: "edge_id" },
  line: edge,
} as const satisfies Shared;
const packages = {
  dictionary: "packages",
  key: "id",
  uses: { star: "node_packages", id: "package_id" },
  line: value.list("[b.name, b.version, b.provider]"),
} as const satisfies Shared;

/** Lines that are made of rows with the id of their node. */
interface Own {
  readonly alias: string;
  readonly table: string;
  /** The table of those of its rows that are never long; absent: there is none. */
  readonly short?: string;
  /** The table of those that may be long, whose rows `b` have the lines. */
  readonly long: Shared;
}

const ownFacts: Own = {
  alias: "f",
  table: "facts",
  short: "short_facts",
  long: { dictionary: "long_facts", key: "rowid", line: `concat(${value.text("b.name")}, ' : ', b.value)` },
};

const ownInputs: Own = {
  alias: "i",
  table: "catalog_inputs",
  long: { dictionary: "catalog_inputs", key: "rowid", line: value.list("[b.type, b.name]") },
};

/** The contents of an export in its order: settings that prevent facts from expiring come before these facts. */
export const GROUPS: readonly Group[] = [
  nodeGroup({
    command: "configure expiration",
    has: "n.expires_facts_updated IS NOT NULL",
    time: "n.expires_facts_updated",
    document: expiration,
  }),
  nodeGroup({
    command: "replace catalog",
    has: "n.catalog_hash IS NOT NULL",
    time: "n.catalog_producer_timestamp",
    document: catalog,
    gathers: [sharedLines("s", resources), sharedLines("e", edges)],
    shared: [resources, edges],
    sizes: longTextSizes.resources,
    inParallel: true,
  }),
  {
    command: "store report",
    from: "reports",
    where: "id > 0",
    sql: `SELECT ${documentColumns(report, [nameSql(["n.certname", reportName])]).join(", ")}
      FROM reports r JOIN nodes n ON n.id = r.node_id WHERE r.id > $1 AND r.id <= $2`,
    third: repeatedReports,
    sizes: longTextSizes.reports,
    hasLongRows: true,
  },
  nodeGroup({
    command: "replace facts",
    has: "n.facts_hash IS NOT NULL",
    document: facts,
    own: ownFacts,
    gathers: [sharedLines("p", packages)],
    shared: [packages],
    sizes: longTextSizes.long_facts,
  }),
  nodeGroup({
    command: "replace catalog inputs",
    has: "n.inputs_producer_timestamp IS NOT NULL",
    time: "n.inputs_producer_timestamp",
    document: inputs,
    own: ownInputs,
    sizes: longTextSizes.catalog_inputs,
  }),
];

interface NodeGroup {
  readonly command: ArchiveCommandName;
  readonly has: string;
  /** The time that the hash in the name is computed of; without one the name is the certname. */
  readonly time?: string;
  readonly document: readonly Pair[];
  /** Joins for the document besides the node's row. */
  readonly gathers?: readonly string[];
  readonly own?: Own;
  readonly shared?: readonly Shared[];
  readonly sizes?: string;
  readonly inParallel?: boolean;
}

function nodeGroup({ command, has, time, document, gathers = [], own, shared = [], ...others }: NodeGroup): Group {
  const name = ["n.certname", ...(time === undefined ? [] : [hashOf(time)])];
  const members = (joins: readonly string[]): string =>
    `SELECT ${memberSql(name, document)} FROM nodes n ${joins.join(" ")} WHERE ${has} AND n.id > $1 AND n.id <= $2`;
  const group = { command, from: "nodes", where: has, ...others } as const;
  if (own === undefined) return { ...group, shared, sql: members(gathers) };
  return {
    ...group,
    shared: [...shared, own.long],
    sql: members([ownLines(own), ...gathers]),
    longSql: members([longLines(own), ...gathers]),
  };
}

function memberSql(name: readonly string[], document: readonly Pair[]): string {
  return `concat(${nameSql(name)}, ${documentSql(document)})`;
}

function nameSql(name: readonly string[]): string {
  return `to_json([${name.join(", ")}]), '\n'`;
}

/** Lines made from a table with rows of the nodes. */
function ownLines({ alias, table, long }: Own): string {
  return joined(alias, linesOfNodes(table, linesSql(long.line)));
}

/** The same, with a gap in place of those that may be long. */
function longLines({ alias, short, long }: Own): string {
  const { dictionary, key, line } = long;
  const gaps = linesOfNodes(dictionary, gapSql(dictionary, `string_agg(b.${key}::VARCHAR, ',')`));
  if (short === undefined) return joined(alias, gaps);
  const both = `${linesOfNodes(short, linesSql(line))} UNION ALL ${gaps}`;
  return joined(alias, `SELECT node_id, ${linesSql("lines")} AS lines FROM (${both}) GROUP BY node_id`);
}

function linesOfNodes(table: string, lines: string): string {
  return `SELECT b.node_id, ${lines} AS lines FROM ${table} b WHERE b.node_id > $1 AND b.node_id <= $2 GROUP BY b.node_id`;
}

function joined(alias: string, lines: string): string {
  return `LEFT JOIN (${lines}) ${alias} ON ${alias}.node_id = n.id`;
}

/**
 * A gap for lines of a dictionary that nodes refer to by ids: each line is made and read once, however many nodes use
 * it.
 */
function sharedLines(alias: string, { dictionary, uses }: Shared & Required<Pick<Shared, "uses">>): string {
  const { star, id } = uses;
  const gaps = gapSql(dictionary, `string_agg(a.${id}::VARCHAR, ',')`);
  const lines = `SELECT a.node_id, ${gaps} AS lines FROM ${star} a WHERE a.node_id > $1 AND a.node_id <= $2 GROUP BY a.node_id`;
  return joined(alias, lines);
}

/** SQL of the hash after the name: SHA-1 of the producer timestamp as JSON text (reference/archive.md §1). */
function hashOf(timestamp: string): string {
  return `sha1(${value.time(timestamp)})`;
}

/**
 * Reports of a node with the same producer timestamp as an earlier one. Their names end with the report's own hash: an
 * archive may have two members with the same name, but the folder that it is unpacked to may not.
 */
async function repeatedReports(at: Snapshot): Promise<SqlValue> {
  const rows = await at.rows<{ id: bigint }>(
    `SELECT id FROM reports WHERE id > 0
     QUALIFY row_number() OVER (PARTITION BY node_id, epoch_ms(producer_timestamp) ORDER BY id) > 1`,
  );
  return `[${rows.map(({ id }) => id).join(",")}]`;
}
