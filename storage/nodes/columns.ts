import type { Timestamp } from "../time.ts";

/** The types of columns, as the engine names them, and what a value of each is in memory. */
interface ColumnTypes {
  INTEGER: number;
  BIGINT: bigint;
  VARCHAR: string;
  BOOLEAN: boolean;
  TIMESTAMP: Timestamp;
}

/**
 * The columns of the table `nodes` and their types, in the order of the schema. The row type, the empty row, reading and
 * writing follow from this table; a test compares it with the schema. All but `id` and `certname` may be null.
 */
export const nodeColumns = {
  id: "INTEGER",
  certname: "VARCHAR",
  deactivated: "TIMESTAMP",
  expired: "TIMESTAMP",
  expires_facts: "BOOLEAN",
  expires_facts_updated: "TIMESTAMP",
  facts_environment: "VARCHAR",
  facts_producer: "VARCHAR",
  facts_hash: "VARCHAR",
  facts_timestamp: "TIMESTAMP",
  facts_producer_timestamp: "TIMESTAMP",
  catalog_environment: "VARCHAR",
  catalog_producer: "VARCHAR",
  catalog_hash: "VARCHAR",
  catalog_timestamp: "TIMESTAMP",
  catalog_producer_timestamp: "TIMESTAMP",
  catalog_version: "VARCHAR",
  catalog_transaction_uuid: "VARCHAR",
  catalog_uuid: "VARCHAR",
  catalog_code_id: "VARCHAR",
  catalog_job_id: "VARCHAR",
  inputs_hash: "VARCHAR",
  inputs_uuid: "VARCHAR",
  inputs_producer_timestamp: "TIMESTAMP",
  report_id: "BIGINT",
  report_hash: "VARCHAR",
  report_environment: "VARCHAR",
  report_end_time: "TIMESTAMP",
  report_producer_timestamp: "TIMESTAMP",
  report_status: "VARCHAR",
  report_noop: "BOOLEAN",
  report_noop_pending: "BOOLEAN",
  report_corrective_change: "BOOLEAN",
  report_job_id: "VARCHAR",
  cached_catalog_status: "VARCHAR",
  facts_steady_digest: "VARCHAR",
  packages_digest: "VARCHAR",
  report_interval: "INTEGER",
} as const satisfies Readonly<Record<string, keyof ColumnTypes>>;

type Columns = typeof nodeColumns;

/** A node's row: a property for each column, in their order. */
export type NodeRow = { id: number; certname: string } & {
  -readonly [C in Exclude<keyof Columns, "id" | "certname">]: ColumnTypes[Columns[C]] | null;
};

/** Columns of which many nodes have the same text. */
export const sharedTexts = [
  "facts_environment",
  "facts_producer",
  "catalog_environment",
  "catalog_producer",
  "catalog_version",
  "catalog_code_id",
  "report_environment",
  "report_status",
  "cached_catalog_status",
] as const satisfies readonly (keyof NodeRow)[];

/** Columns that repeat a value of the node's stored data: the column, and the name of the value in prepared data. */
export const repeatedColumns = {
  facts: {
    facts_environment: "environment",
    facts_producer: "producer",
    facts_timestamp: "received",
    facts_producer_timestamp: "producerTimestamp",
  },
  catalog: {
    catalog_environment: "environment",
    catalog_producer: "producer",
    catalog_version: "version",
    catalog_transaction_uuid: "transaction_uuid",
    catalog_uuid: "catalog_uuid",
    catalog_code_id: "code_id",
    catalog_job_id: "job_id",
  },
  report: {
    report_hash: "hash",
    report_environment: "environment",
    report_end_time: "end_time",
    report_producer_timestamp: "producer_timestamp",
    report_status: "status",
    report_noop: "noop",
    report_noop_pending: "noop_pending",
    report_job_id: "job_id",
    cached_catalog_status: "cached_catalog_status",
  },
} as const satisfies Readonly<Record<string, { readonly [C in keyof NodeRow]?: string }>>;

type Repeated = typeof repeatedColumns;

/** What {@link repeatValues} needs of prepared data: a value of the column's type by each name. */
type Source<Kind extends keyof Repeated> = {
  readonly [C in keyof Repeated[Kind] as Repeated[Kind][C] & string]: NodeRow[C & keyof NodeRow];
};

/** Sets the columns that repeat values of a fact set, a catalog or a report. */
export function repeatValues<Kind extends keyof Repeated>(node: NodeRow, kind: Kind, data: Source<Kind>): void {
  const [row, values]: [Record<string, unknown>, Readonly<Record<string, unknown>>] = [node, data];
  for (const [column, name] of Object.entries(repeatedColumns[kind])) row[column] = values[name];
}

/** The names of the columns, in the order of the schema. */
export const columnNames = Object.keys(nodeColumns) as (keyof NodeRow)[];

const empty = Object.fromEntries(columnNames.map((name) => [name, null]));

/** The row of a node of which only the name is known. */
export function newNodeRow(id: number, certname: string): NodeRow {
  return { ...(empty as unknown as NodeRow), id, certname };
}

/** SQL that reads all rows. Times are read as microseconds since the epoch, the unit of {@link Timestamp}. */
export const selectNodeRows = `SELECT ${columnNames.map(columnSql).join(", ")} FROM nodes`;

function columnSql(name: keyof Columns): string {
  return nodeColumns[name] === "TIMESTAMP" ? `epoch_us(${name}) AS ${name}` : name;
}

/** A row's values in the order of the columns. */
export function cellsOf(node: NodeRow): NodeRow[keyof NodeRow][] {
  return columnNames.map((name) => node[name]);
}
