import type { Snapshot } from "../../engine/database.ts";
import type { SqlValue } from "../../engine/statements.ts";
import type { ArchiveCommandName } from "../contents.ts";
import { catalog, edge, expiration, facts, inputs, report, resource } from "./documents.ts";
import { documentSql, linesSql, type Pair, value } from "./json-sql.ts";

/** The members of one kind: which rows they are made of, and how. */
export interface Group {
  readonly command: ArchiveCommandName;
  /** The table that has a row per member, and a condition on those that count. */
  readonly from: "nodes" | "reports";
  readonly where: string;
  /** A text per row whose id is above $1 and no more than $2: the parts of the member's name as a list, a line feed, the member. */
  readonly sql: string;
  /** The value of `$3`, where `sql` has one. */
  readonly third?: (at: Snapshot) => Promise<SqlValue>;
}

const reportName = `CASE WHEN r.id IN (SELECT unnest($3::BIGINT[])) THEN r.hash ELSE ${hashOf("r.producer_timestamp")} END`;

const packages = value.list("[b.name, b.version, b.provider]");

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
    gathers: [
      sharedLines("s", "catalog_resources", "resource_id", "resources", resource),
      sharedLines("e", "catalog_edges", "edge_id", "edges", edge),
    ],
  }),
  {
    command: "store report",
    from: "reports",
    where: "true",
    sql: `SELECT ${memberSql(["n.certname", reportName], report)}
      FROM reports r JOIN nodes n ON n.id = r.node_id WHERE r.id > $1 AND r.id <= $2`,
    third: repeatedReports,
  },
  nodeGroup({
    command: "replace facts",
    has: "n.facts_hash IS NOT NULL",
    document: facts,
    gathers: [
      ownLines("f", "facts", `concat(${value.text("a.name")}, ' : ', a.value)`),
      sharedLines("p", "node_packages", "package_id", "packages", packages),
    ],
  }),
  nodeGroup({
    command: "replace catalog inputs",
    has: "n.inputs_producer_timestamp IS NOT NULL",
    time: "n.inputs_producer_timestamp",
    document: inputs,
    gathers: [ownLines("i", "catalog_inputs", value.list("[a.type, a.name]"))],
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
}

function nodeGroup({ command, has, time, document, gathers = [] }: NodeGroup): Group {
  const name = ["n.certname", ...(time === undefined ? [] : [hashOf(time)])];
  return {
    command,
    from: "nodes",
    where: has,
    sql: `SELECT ${memberSql(name, document)} FROM nodes n ${gathers.join(" ")}
      WHERE ${has} AND n.id > $1 AND n.id <= $2`,
  };
}

function memberSql(name: readonly string[], document: readonly Pair[]): string {
  return `concat(to_json([${name.join(", ")}]), '\n', ${documentSql(document)})`;
}

/** Lines made of a table that has rows of the nodes. */
function ownLines(alias: string, table: string, element: string): string {
  return `LEFT JOIN (SELECT a.node_id, ${linesSql(element)} AS lines FROM ${table} a
    WHERE a.node_id > $1 AND a.node_id <= $2 GROUP BY a.node_id) ${alias} ON ${alias}.node_id = n.id`;
}

/** Lines made of a dictionary that nodes have ids into: each entry is written once, however many of the nodes have it. */
function sharedLines(alias: string, star: string, id: string, dictionary: string, element: string): string {
  const own = `FROM ${star} a WHERE a.node_id > $1 AND a.node_id <= $2`;
  const written = `SELECT b.id, ${element} AS line FROM ${dictionary} b WHERE b.id IN (SELECT a.${id} ${own})`;
  return `LEFT JOIN (SELECT a.node_id, ${linesSql("w.line")} AS lines
    FROM (SELECT a.node_id, a.${id} AS id ${own}) a JOIN (${written}) w ON w.id = a.id
    GROUP BY a.node_id) ${alias} ON ${alias}.node_id = n.id`;
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
    `SELECT id FROM reports
     QUALIFY row_number() OVER (PARTITION BY node_id, epoch_ms(producer_timestamp) ORDER BY id) > 1`,
  );
  return `[${rows.map(({ id }) => id).join(",")}]`;
}
