import type { CompiledStatement } from "../compiled-statement.ts";
import type { FacetField } from "../facets/field.ts";
import type { FieldRef, Selection } from "../tree.ts";
import { allConditions } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";
import { duckdb } from "../dialect/duckdb.ts";

/** What is counted by time. */
export interface TimedSelection {
  /** Its columns are not looked at. */
  readonly rows: Selection;
  /** A time; rows without one are not counted. */
  readonly time: FieldRef;
  /** What counts are separated by. */
  readonly by?: FacetField;
  /** Steps of time are counted from here, in microseconds since the epoch. */
  readonly origin: bigint;
  /** The length of a step in microseconds. */
  readonly step: bigint;
}

/** One statement whose rows are JSON texts `[step, value of by, count]`, in no order. */
export function compileTimedCounts(wanted: TimedSelection, context: CompileContext): CompiledStatement {
  const scope = Scope.of(wanted.rows.entity, context);
  return scope.statement(countsSql(scope, wanted, (step, value) => [step, value, "n"]));
}

/** @param cells the SQL of the JSON texts of a row's elements, over `n` */
function countsSql(
  scope: Scope,
  { rows, time, by, origin, step }: TimedSelection,
  cells: (step: string, value: string) => readonly string[],
): string {
  const moment = scope.use(time.field.sql);
  const column = by === undefined ? undefined : facetColumn(scope, by);
  const { aggregates, times, values } = duckdb;
  const since = `(${times.micros(moment)} - ${values.cast(scope.value(origin), "integer")})`;
  const steps = values.quotient(since, values.cast(scope.value(step), "integer"));
  const conditions = allConditions(scope, rows);
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  const value = column?.value === undefined ? "" : `, ${aggregates.any(column.value)} AS v`;
  const groups = `SELECT ${steps} AS step, ${column?.key ?? "NULL"} AS k${value}, count(*) AS n ${scope.from()}${where} GROUP BY 1, 2`;
  const json = column?.json(column.value === undefined ? "k" : "v") ?? "NULL";
  const row = cells("step", `coalesce(${json}, 'null')`).join(", ',', ");
  return `SELECT concat('[', ${row}, ']') FROM (${groups}) WHERE step IS NOT NULL`;
}
