import type { Snapshot } from "../../engine/snapshot.ts";
import type { SqlValue } from "../../engine/sql-value.ts";
import { longTextSizes } from "../../ingest/write/long-texts.ts";
import type { ArchiveCommandName } from "../contents.ts";
import { catalog, edge, expiration, facts, inputs, report, resource } from "./documents.ts";
import { gapSql } from "./gaps.ts";
import { documentColumns, documentSql, linesSql, type Pair, value } from "./json-sql.ts";
import type { Shared } from "./shared-lines.ts";

/** The members of one kind: which rows they are made of, and how. */
export interface Group {
  readonly command: ArchiveCommandName;
  /** The table that has a row per member, and a condition on those that count. */
  readonly from: "nodes" | "reports";
  readonly where: string;
  /**
   * A text per row whose id is above $1 and no more than $2: the parts of the member's name as a list, a line feed, the member.
   * Of {@link hasLongRows} it is several, one behind the other; those at odd places are JSON, and `null` where they are NULL.
   */
  readonly sql: string;
  /** The value of `$3`, where `sql` has one. */
  readonly third?: (at: Snapshot) => Promise<SqlValue>;
  /** SQL of the ids of rows whose members are long, and how many characters those have at least. */
  readonly sizes?: string;
  /** What the members have in common; they have gaps where it belongs. */
  readonly shared?: readonly Shared[];
  /** The documents are in the rows themselves, not gathered from other tables, and are put together as they are written. */
  readonly hasLongRows?: boolean;
  /**
   * Several ranges are read at the same time. Not where lines are gathered into long texts: compressing takes as long as
   * reading them through one view. Long rows are read one range after the other.
   */
  readonly inParallel?: boolean;
}

const reportName = `CASE WHEN r.id IN (SELECT unnest($3::BIGINT[])) THEN r.hash ELSE ${hashOf("r.producer_timestamp")} END`;

const resources: Shared = {
  dictionary: "resources",
  star: "catalog_resources",
  id: "resource_id",
  line: resource,
};
const edges: Shared = { dictionary: "edges", star: "catalog_edges", id: "edge_id", line: edge };
const packages: Shared = {
  dictionary: "packages",
  star: "node_packages",
  id: "package_id",
  line: value.list("[b.name, b.version, b.provider]"),
};

/** The contents of an export in its order: settings that keep facts from expiring come before what they protect. */
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
    gathers: [ownLines("f", "facts", `concat(${value.text("a.name")}, ' : ', a.value)`), sharedLines("p", packages)],
    shared: [packages],
    sizes: longTextSizes.long_facts,
  }),
  nodeGroup({
    command: "replace catalog inputs",
    has: "n.inputs_producer_timestamp IS NOT NULL",
    time: "n.inputs_producer_timestamp",
    document: inputs,
    gathers: [ownLines("i", "catalog_inputs", value.list("[a.type, a.name]"))],
    sizes: longTextSizes.catalog_inputs,
  }),
];

interface NodeGroup {
  readonly command: ArchiveCommandName;
  readonly has: string;
  /** What the hash in the name is over; without one the certname is the name. */
  readonly time?: string;
  readonly document: readonly Pair[];
  /** Joins of what the document needs besides the node's row. */
  readonly gathers?: readonly string[];
  readonly shared?: readonly Shared[];
  readonly sizes?: string;
  readonly inParallel?: boolean;
}

function nodeGroup({ command, has, time, document, gathers = [], shared = [], ...others }: NodeGroup): Group {
  const name = ["n.certname", ...(time === undefined ? [] : [hashOf(time)])];
  return {
    command,
    from: "nodes",
    where: has,
    shared,
    ...others,
    sql: `SELECT ${memberSql(name, document)} FROM nodes n ${gathers.join(" ")}
      WHERE ${has} AND n.id > $1 AND n.id <= $2`,
  };
}

function memberSql(name: readonly string[], document: readonly Pair[]): string {
  return `concat(${nameSql(name)}, ${documentSql(document)})`;
}

function nameSql(name: readonly string[]): string {
  return `to_json([${name.join(", ")}]), '\n'`;
}

/** Lines made of a table that has rows of the nodes. */
function ownLines(alias: string, table: string, element: string): string {
  return `LEFT JOIN (SELECT a.node_id, ${linesSql(element)} AS lines FROM ${table} a
    WHERE a.node_id > $1 AND a.node_id <= $2 GROUP BY a.node_id) ${alias} ON ${alias}.node_id = n.id`;
}

/** A gap for lines of a dictionary that nodes have ids into: each is made and fetched once, however many have it. */
function sharedLines(alias: string, { dictionary, star, id }: Shared): string {
  return `LEFT JOIN (SELECT a.node_id, ${gapSql(dictionary, `string_agg(a.${id}::VARCHAR, ',')`)} AS lines FROM ${star} a
    WHERE a.node_id > $1 AND a.node_id <= $2 GROUP BY a.node_id) ${alias} ON ${alias}.node_id = n.id`;
}

/** SQL of the hash behind the name: SHA-1 of the producer timestamp as JSON text (reference/archive.md §1). */
function hashOf(timestamp: string): string {
  return `sha1(${value.time(timestamp)})`;
}

/**
 * Reports of a node with the same producer timestamp as an earlier one. Their names have a hash of their own, the
 * report's: in an archive two members may have one name, in the folder it is unpacked to they may not.
 */
async function repeatedReports(at: Snapshot): Promise<SqlValue> {
  const rows = await at.rows<{ id: bigint }>(
    `SELECT id FROM reports WHERE id > 0
     QUALIFY row_number() OVER (PARTITION BY node_id, epoch_ms(producer_timestamp) ORDER BY id) > 1`,
  );
  return `[${rows.map(({ id }) => id).join(",")}]`;
}
