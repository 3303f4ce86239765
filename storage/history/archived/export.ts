import type { Snapshot } from "../../engine/snapshot.ts";
import { formatTimestamp, type Timestamp } from "../../time.ts";
import { stringifyJson } from "../../json.ts";
import { historyBegan, historyTables } from "../state.ts";
import type { NodeState } from "./document.ts";

/** SQL of a resource and of an edge as JSON text, of a row `b` of their dictionaries. */
export interface ItemTexts {
  readonly resource: string;
  readonly edge: string;
}

/** A document of a history. */
export interface HistoryDocument {
  /** Undefined: it is of the whole history, not of a node. */
  readonly certname: string | undefined;
  readonly body: string;
}

/** Rows that are read at a time. A time of a document counts less than a change. */
const MAX_ROWS = 50_000;
const TIMES_PER_ROW = 20;

/** The history in a store, a document for each node, after one that says since when it is complete. Nothing where none is recorded. */
export async function* historyDocuments(at: Snapshot, items: ItemTexts): AsyncGenerator<HistoryDocument> {
  const begun = await historyBegan(at);
  if (begun === undefined) return;
  yield { certname: undefined, body: stringifyJson({ begun: exactTime(begun) }) };
  for (const nodes of await rangesOf(at)) yield* documentsOf(at, nodes, items);
}

interface NodeOf {
  readonly id: number;
  readonly certname: string;
  readonly state: NodeState;
  readonly rows: number;
}

/** Nodes with a history, in ranges of about as many rows. */
async function rangesOf(at: Snapshot): Promise<NodeOf[][]> {
  const counts = [
    ...historyTables.map((table) => `SELECT node_id, count(*) AS rows FROM ${table} GROUP BY node_id`),
    `SELECT node_id, 1 + count(*) // ${TIMES_PER_ROW} FROM history_documents GROUP BY node_id`,
  ];
  const nodes = await at.rows<NodeOf>(
    `SELECT n.id, n.certname, sum(c.rows)::INTEGER AS rows,
      CASE WHEN n.deactivated IS NOT NULL THEN 'deactivated' WHEN n.expired IS NOT NULL THEN 'expired' ELSE 'active' END AS state
      FROM nodes n JOIN (${counts.join(" UNION ALL ")}) c ON c.node_id = n.id GROUP BY ALL ORDER BY n.id`,
  );
  const ranges: NodeOf[][] = [];
  let rows = MAX_ROWS;
  for (const node of nodes) {
    if (rows + node.rows > MAX_ROWS) {
      ranges.push([]);
      rows = 0;
    }
    ranges.at(-1)?.push(node);
    rows += node.rows;
  }
  return ranges;
}

interface Row {
  readonly node: number;
  readonly changed: Timestamp;
}

/** What each list of a document is made of: the columns of a table, and the members of an entry other than its time. */
interface Part<R> {
  readonly name: string;
  readonly table: string;
  readonly columns: string;
  readonly entry: (row: R) => string;
}

interface Run {
  readonly transaction: string | null;
}

interface Values {
  readonly before: string | null;
  readonly after: string | null;
}

const facts: Part<Values & { path: string }> = {
  name: "facts",
  table: "history_facts",
  columns: "path, before, after",
  entry: ({ path, before, after }) => `"path":${path}${member("before", before)}${member("after", after)}`,
};

const packages: Part<{ name: string; provider: string; before: string; after: string }> = {
  name: "packages",
  table: "history_packages",
  columns: "name, provider, to_json(before)::VARCHAR AS before, to_json(after)::VARCHAR AS after",
  entry: ({ name, provider, before, after }) =>
    `"name":${quoted(name)},"provider":${quoted(provider)},"before":${before},"after":${after}`,
};

const values: Part<Values & Run & { what: string }> = {
  name: "values",
  table: "history_nodes",
  columns: "what, before, after, transaction_uuid AS transaction",
  entry: ({ what, before, after, transaction }) =>
    `"what":${quoted(what)},"before":${quoted(before)},"after":${quoted(after)}${ofRun(transaction)}`,
};

function resources(texts: ReadonlyMap<number, string>): Part<Run & { before: number | null; after: number | null }> {
  const side = (name: string, id: number | null): string => member(name, id === null ? null : texts.get(id));
  return {
    name: "resources",
    table: "history_resources",
    columns: "before_id AS before, after_id AS after, transaction_uuid AS transaction",
    entry: ({ before, after, transaction }) =>
      `${side("before", before)}${side("after", after)}${ofRun(transaction)}`.replace(/^,/, ""),
  };
}

function edges(texts: ReadonlyMap<number, string>): Part<Run & { edge: number; came: boolean }> {
  return {
    name: "edges",
    table: "history_edges",
    columns: "edge_id AS edge, came, transaction_uuid AS transaction",
    entry: ({ edge, came, transaction }) => `"edge":${texts.get(edge)},"came":${came}${ofRun(transaction)}`,
  };
}

async function* documentsOf(at: Snapshot, nodes: readonly NodeOf[], items: ItemTexts): AsyncGenerator<HistoryDocument> {
  const range: Range = { first: nodes[0]?.id ?? 0, last: nodes.at(-1)?.id ?? 0 };
  const [ofResources, ofEdges] = [
    await itemTexts(at, range, "resources", items.resource, ["before_id", "after_id"]),
    await itemTexts(at, range, "edges", items.edge, ["edge_id"]),
  ];
  const lists = [
    await entriesOf(at, range, facts),
    await entriesOf(at, range, packages),
    await entriesOf(at, range, values),
    await entriesOf(at, range, resources(ofResources)),
    await entriesOf(at, range, edges(ofEdges)),
  ];
  const times = await timesOf(at, range);
  for (const { id, certname, state } of nodes) {
    const members = [
      `"certname":${quoted(certname)}`,
      `"state":${quoted(state)}`,
      `"documents":{"facts":${deltas(times.get(`${id} false`))},"catalog":${deltas(times.get(`${id} true`))}}`,
      ...lists.flatMap(({ name, entries }) => {
        const own = entries.get(id);
        return own === undefined ? [] : [`"${name}":[\n${own.join(",\n")}\n]`];
      }),
    ];
    yield { certname, body: `{${members.join(",\n")}}` };
  }
}

interface Range {
  readonly first: number;
  readonly last: number;
}

async function entriesOf<R>(
  at: Snapshot,
  { first, last }: Range,
  { name, table, columns, entry }: Part<R>,
): Promise<{ readonly name: string; readonly entries: ReadonlyMap<number, readonly string[]> }> {
  const rows = await at.rows<R & Row>(
    `SELECT node_id AS node, epoch_us(changed) AS changed, ${columns} FROM ${table}
      WHERE node_id BETWEEN $1 AND $2 ORDER BY node_id, ${table}.changed, rowid`,
    [first, last],
  );
  const entries = new Map<number, string[]>();
  for (const row of rows) {
    const text = `{${entry(row)},"from":${quoted(exactTime(row.changed))}}`;
    const own = entries.get(row.node);
    if (own === undefined) entries.set(row.node, [text]);
    else own.push(text);
  }
  return { name, entries };
}

/** The texts of rows of a dictionary that changes refer to. */
async function itemTexts(
  at: Snapshot,
  { first, last }: Range,
  dictionary: "resources" | "edges",
  text: string,
  ids: readonly string[],
): Promise<ReadonlyMap<number, string>> {
  const wanted = ids.map((id) => `SELECT ${id} FROM history_${dictionary} WHERE node_id BETWEEN $1 AND $2`);
  const rows = await at.rows<{ id: number; text: string }>(
    `SELECT b.id, ${text} AS text FROM ${dictionary} b WHERE b.id IN (${wanted.join(" UNION ")})`,
    [first, last],
  );
  return new Map(rows.map(({ id, text: found }) => [id, found]));
}

/** Times of documents in their order, microseconds, by node and kind. */
async function timesOf(at: Snapshot, { first, last }: Range): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await at.rows<{ node: number; isCatalog: boolean; times: string }>(
    `SELECT node_id AS node, is_catalog AS "isCatalog", list_sort(list(epoch_us(produced)))::VARCHAR AS times
      FROM history_documents WHERE node_id BETWEEN $1 AND $2 GROUP BY ALL`,
    [first, last],
  );
  return new Map(rows.map(({ node, isCatalog, times }) => [`${node} ${isCatalog}`, JSON.parse(times) as number[]]));
}

/** JSON text of times: the first, then how many microseconds each is after the one before it. */
function deltas(times: readonly number[] = []): string {
  const [first, ...rest] = times;
  if (first === undefined) return "[]";
  return `[${[quoted(exactTime(BigInt(first))), ...rest.map((time, index) => time - (times[index] ?? 0))].join(",")}]`;
}

/** A time with its microseconds, where it has any. */
function exactTime(time: Timestamp): string {
  const micros = ((time % 1000n) + 1000n) % 1000n;
  const text = formatTimestamp(time);
  return micros === 0n ? text : text.replace(/Z$/, `${String(micros).padStart(3, "0")}Z`);
}

function member(name: string, json: string | null | undefined): string {
  return json === null || json === undefined ? "" : `,"${name}":${json}`;
}

function ofRun(transaction: string | null): string {
  return member("transaction", transaction === null ? null : quoted(transaction));
}

function quoted(text: string | null): string {
  return JSON.stringify(text);
}
