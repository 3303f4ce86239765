import type { Snapshot } from "../../engine/snapshot.ts";
import { HISTORY, HISTORY_BEGUN } from "../layout.ts";
import type { WrittenMember } from "../written-member.ts";
import { edge, resource } from "./documents.ts";
import { objectSql, type Pair, value } from "./json-sql.ts";

/** A table of the history, whose rows are lines of members. */
interface Table {
  /** The beginning of the names of its members. Those of a folder are read in the order of their names, in which those of nodes are the first. */
  readonly name: string;
  readonly from: string;
  /** Further tables, after {@link from}. */
  readonly joins: string;
  /** The number of a row. */
  readonly number: string;
  readonly pairs: readonly Pair[];
  /** How many numbers are read at a time. */
  readonly range: number;
}

/** Bytes after which a member ends. */
const MEMBER = 4 * 1024 * 1024;

const exactTime = (column: string): string => `strftime(${column}, '"%Y-%m-%dT%H:%M:%S.%fZ"')`;

/** The times of a node's documents. */
const timesOf = (isCatalog: boolean): string =>
  `concat('[', (SELECT string_agg(${exactTime("produced")}, ',' ORDER BY produced) FROM history_documents
    WHERE node_id BETWEEN $1 AND $2 AND node_id = n.id AND is_catalog = ${isCatalog}), ']')`;

const nodes: Table = {
  name: "documents",
  from: "nodes n",
  joins: "",
  number: "n.id",
  range: 500,
  pairs: [
    ["certname", value.text("n.certname")],
    [
      "state",
      `CASE WHEN n.deactivated IS NOT NULL THEN '"deactivated"' WHEN n.expired IS NOT NULL THEN '"expired"' ELSE '"active"' END`,
    ],
    ["facts", timesOf(false)],
    ["catalog", timesOf(true)],
  ],
};

function changes(name: string, table: string, pairs: readonly Pair[]): Table {
  return {
    name,
    from: `${table} h`,
    joins: "JOIN nodes n ON n.id = h.node_id",
    number: "h.rowid",
    range: 20_000,
    pairs: [["certname", value.text("n.certname")], ...pairs, ["from", exactTime("h.changed")]],
  };
}

const transaction: Pair = ["transaction", value.text("h.transaction_uuid"), "h.transaction_uuid"];

/** A resource or an edge, which changes refer to by its id. */
function item(name: string, dictionary: string, text: string, id: string): Pair {
  return [name, `(SELECT ${text} FROM ${dictionary} b WHERE b.id = ${id})`, id];
}

const tables: readonly Table[] = [
  nodes,
  changes("edges", "history_edges", [
    item("edge", "edges", edge, "h.edge_id"),
    ["came", value.boolean("h.came")],
    transaction,
  ]),
  changes("facts", "history_facts", [
    ["path", "h.path"],
    ["before", "h.before", "h.before"],
    ["after", "h.after", "h.after"],
  ]),
  changes("packages", "history_packages", [
    ["name", value.text("h.name")],
    ["provider", value.text("h.provider")],
    ["before", value.list("h.before")],
    ["after", value.list("h.after")],
  ]),
  changes("resources", "history_resources", [
    item("before", "resources", resource, "h.before_id"),
    item("after", "resources", resource, "h.after_id"),
    transaction,
  ]),
  changes("values", "history_nodes", [
    ["what", value.text("h.what")],
    ["before", value.text("h.before")],
    ["after", value.text("h.after")],
    transaction,
  ]),
];

/** The recorded changes, as members that PuppetDB ignores (docs/archives.md). Nothing where none are recorded. */
export async function* historyMembers(at: Snapshot): AsyncGenerator<WrittenMember> {
  const begun = `concat('{"begun":', ${exactTime("begun")}, '}')`;
  const [state] = await at.rows<{ body: string }>(`SELECT ${begun} AS body FROM history_state`);
  if (state === undefined) return;
  yield { name: HISTORY_BEGUN, body: state.body };
  for (const table of tables) {
    let count = 0;
    for await (const body of bodies(at, table)) {
      yield { name: `${HISTORY}${table.name}-${String(++count).padStart(6, "0")}.jsonl`, body };
    }
  }
}

async function* bodies(at: Snapshot, { from, joins, number, pairs, range }: Table): AsyncGenerator<Buffer> {
  const [last] = await at.rows<{ number: number | null }>(`SELECT max(${number})::DOUBLE AS number FROM ${from}`);
  const sql = `SELECT ${objectSql(pairs)} FROM ${from} ${joins} WHERE ${number} BETWEEN $1 AND $2 ORDER BY ${number}`;
  let lines: Buffer[] = [];
  let bytes = 0;
  for (let first = 0; first <= (last?.number ?? -1); first += range) {
    for await (const rows of at.stream({ sql, values: [first, first + range - 1] })) {
      for (let row = 0; row < rows.count; row++) {
        const line = rows.bytes(row);
        lines.push(line, LINE_END);
        bytes += line.length;
      }
      if (bytes < MEMBER) continue;
      yield Buffer.concat(lines);
      [lines, bytes] = [[], 0];
    }
  }
  if (lines.length > 0) yield Buffer.concat(lines);
}

const LINE_END = Buffer.from("\n");
