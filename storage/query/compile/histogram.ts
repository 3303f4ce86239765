import type { CompiledStatement } from "../compiled-statement.ts";
import { duckdb } from "../dialect/duckdb.ts";
import { reports } from "../entities/index.ts";
import type { FacetField } from "../facets/field.ts";
import type { Measure } from "../histogram/result.ts";
import type { FieldRef, Selection } from "../tree.ts";
import { allConditions } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

/** What is counted by time. */
export interface TimedSelection {
  /** Its columns are not looked at. */
  readonly rows: Selection;
  readonly measure: Measure;
  /** A time; rows without one are not counted. */
  readonly time: FieldRef;
  /** What counts are separated by. */
  readonly by?: FacetField;
  /** Steps of time are counted from here, in microseconds since the epoch. */
  readonly origin: bigint;
  /** The length of a step in microseconds. */
  readonly step: bigint;
  /** The bucket of each step: some are longer than others. */
  readonly buckets: readonly number[];
}

const { aggregates, lists, times, values } = duckdb;

/** One statement whose rows are JSON texts `[bucket, value of by, count]` or `[bucket, runs, median, p95]`, in no order. */
export function compileTimed(wanted: TimedSelection, context: CompileContext): CompiledStatement {
  const scope = Scope.of(wanted.rows.entity, context);
  return scope.statement(wanted.measure === "duration" ? durationsSql(scope, wanted) : countsSql(scope, wanted));
}

function countsSql(scope: Scope, wanted: TimedSelection): string {
  const { by, measure, time } = wanted;
  const column = by === undefined ? undefined : facetColumn(scope, by);
  const key = column?.key ?? "NULL";
  const json = column?.json(column.value === undefined ? "k" : "v") ?? "NULL";
  const node = measure === "nodes" ? wanted.rows.entity.fields["certname"]?.node : undefined;
  let groups: string;
  if (node === undefined) {
    const value = column?.value === undefined ? "" : `, ${aggregates.any(column.value)} AS v`;
    groups = `SELECT bucket, ${key} AS k${value}, count(*) AS n ${rowsSql(scope, wanted)} GROUP BY 1, 2`;
  } else {
    const last = `${aggregates.greatest(key, scope.use(time.field.sql))} AS k`;
    const ofNodes = `SELECT bucket, ${last} ${rowsSql(scope, wanted)}`;
    groups = `SELECT bucket, k, count(*) AS n FROM (${ofNodes} GROUP BY bucket, ${scope.use(node)}) GROUP BY 1, 2`;
  }
  return `SELECT concat('[', bucket, ',', coalesce(${json}, 'null'), ',', n, ']') FROM (${groups})`;
}

function durationsSql(scope: Scope, wanted: TimedSelection): string {
  const { duration } = reports.fields;
  const seconds = duration === undefined ? "NULL" : scope.use(duration.sql);
  const numbers = ["count(*)", aggregates.quantile("d", 0.5), aggregates.quantile("d", 0.95)];
  const runs = `SELECT bucket, ${seconds} AS d ${rowsSql(scope, wanted)}`;
  return `SELECT concat('[', bucket, ',', ${numbers.join(", ',', ")}, ']') FROM (${runs}) WHERE d >= 0 GROUP BY bucket`;
}

/** FROM and WHERE of the rows, each with its bucket. */
function rowsSql(scope: Scope, { rows, time, origin, step, buckets }: TimedSelection): string {
  const since = `(${times.micros(scope.use(time.field.sql))} - ${values.cast(scope.value(origin), "integer")})`;
  const number = values.quotient(since, values.cast(scope.value(step), "integer"));
  const numbers = (list: readonly number[]): string =>
    lists.rows(lists.ofJson(scope.value(JSON.stringify(list)), "integer"));
  const steps = `SELECT ${numbers([...buckets.keys()])} AS step, ${numbers(buckets)} AS bucket`;
  const conditions = allConditions(scope, rows);
  const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
  return `${scope.from()} JOIN (${steps}) steps ON steps.step = ${number}${where}`;
}
