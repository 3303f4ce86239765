import { mostUrgentFirst, type Silence } from "../states/node-state.ts";
import { allConditions } from "./compile/conditions.ts";
import { facetColumn } from "./compile/facet-columns.ts";
import { jsonObject } from "./compile/json-rows.ts";
import { compileCount } from "./compile/statement.ts";
import { type CompileContext, Scope } from "./compile/scope.ts";
import { type Entity, type Field, field } from "./entities/index.ts";
import { duckdb } from "./dialect/duckdb.ts";
import { nodes } from "./entities/nodes.ts";
import { alias, sql, stored } from "./entities/sql.ts";
import { QueryError } from "./errors.ts";
import { facetField, type FacetField } from "./facets/field.ts";
import { type Plan, type RowsSpec, rowsSelected } from "./query.ts";

/** The rows of a query as a table shows them. */
export interface TableSpec extends RowsSpec {
  /**
   * The columns in their order, each as a facet names a field: `certname`, of nodes also `state`, `facts.os.name`,
   * `catalogs.producer`; of nodes and reports also `events.failure` and so on, of all rows of a node `facts.os.name`.
   */
  readonly columns: readonly string[];
  /** The columns that the rows are sorted by; rows without a value are last. */
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[];
  readonly limit?: bigint;
  readonly offset?: bigint;
  /** One row for all rows with the same values, with their number as `count`, in no order. */
  readonly isCounted?: boolean;
  /** Nodes whose latest report is older are silent. */
  readonly silence: Silence;
}

/** Maximum columns of a table. */
const MOST_COLUMNS = 200;

/** @throws QueryError for an invalid query, and for a column that its rows cannot have */
export function planTable(spec: TableSpec, context: CompileContext): Plan {
  const { columns, sort, limit, offset, isCounted = false, silence } = spec;
  if (columns.length === 0) throw new QueryError("a table needs at least one column");
  if (columns.length > MOST_COLUMNS) throw new QueryError(`there are more than ${MOST_COLUMNS} columns`);
  if (new Set(columns).size < columns.length) throw new QueryError("a table has a column twice");
  if (isCounted && sort.length > 0) throw new QueryError("rows that are counted have no order");
  const rows = rowsSelected(spec);
  const scope = Scope.of(rows.entity, context);
  const fieldOf = (name: string): FacetField => tableField(rows.entity, name, silence);
  const members = columns.map((name) => ({ key: name, json: valueSql(scope, fieldOf(name)) }));
  const order = sort.map(
    ({ column, descending }) => `${sortSql(scope, fieldOf(column))} ${descending ? "DESC" : "ASC"} NULLS LAST`,
  );
  const conditions = allConditions(scope, rows).join(" AND ");
  const where = conditions === "" ? "" : ` WHERE ${conditions}`;
  const keys = members.map(({ json }, index) => `${json} AS c${index}`).join(", ");
  const groups = [
    ...members.map(({ key }, index) => ({ key, json: `c${index}` })),
    { key: "count", json: duckdb.values.cast("n", "text") },
  ];
  const sqlText = [
    isCounted
      ? `SELECT ${jsonObject(scope, groups)} FROM (SELECT ${keys}, count(*) AS n ${scope.from()}${where} GROUP BY ${members.map((_, index) => `c${index}`).join(", ")})`
      : `SELECT ${jsonObject(scope, members)} ${scope.from()}${where}`,
    order.length === 0 ? "" : ` ORDER BY ${order.join(", ")}`,
    limit === undefined ? "" : ` LIMIT ${limit}`,
    offset === undefined ? "" : ` OFFSET ${offset}`,
  ].join("");
  const shown = isCounted ? [...columns, "count"] : columns;
  return { rows: scope.statement(sqlText), columns: shown, total: () => compileCount(rows, context) };
}

/** Events of a node's latest report, or of a report, by their status. */
const eventCounts = /^events\.(failure|success|skipped|noop)$/;

const reportOf: Readonly<Record<string, { readonly table: string; readonly column: string }>> = {
  nodes: { table: "n", column: "report_id" },
  reports: { table: "r", column: "id" },
};

function tableField(entity: Entity, name: string, silence: Silence): FacetField {
  const [, status] = eventCounts.exec(name) ?? [];
  const report = reportOf[entity.alias];
  // Rows that belong to a node have its facts too.
  const isOfNode = entity.joins.some((join) => join.table === "nodes" && join.alias === "n");
  if (isOfNode && name.startsWith("facts.")) return facetField(nodes, name, silence);
  if (status === undefined || report === undefined) return facetField(entity, name, silence);
  const counted: Field = field.numeric(
    sql`(SELECT count(*) FROM ${stored("events")} a WHERE a.report_id = ${alias(report.table)(report.column)} AND a.status = '${status}')`,
  );
  return { kind: "field", name, ref: { name, field: counted } };
}

/** SQL of the JSON text of a value. */
function valueSql(scope: Scope, of: FacetField): string {
  if (of.kind === "field" && (of.ref.field.type === "json" || of.ref.field.type === "array")) {
    throw new QueryError(`'${of.name}' cannot be a column of this table`);
  }
  const column = facetColumn(scope, of, undefined, false);
  return `coalesce(${column.json(column.value ?? column.key)}, 'null')`;
}

/** SQL that rows are sorted by: the most urgent state first, parts of documents as JSON is ordered. */
function sortSql(scope: Scope, of: FacetField): string {
  const { key } = facetColumn(scope, of, undefined, false);
  if (of.kind === "cases") {
    const places = mostUrgentFirst.map((state, index) => `WHEN '${state}' THEN ${index}`).join(" ");
    return `CASE ${key} ${places} END`;
  }
  if (of.kind !== "part") return key;
  return duckdb.json.orderKey(key);
}
