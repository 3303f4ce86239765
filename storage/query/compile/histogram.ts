import type { Statement } from "../../engine/statements.ts";
import type { FacetField } from "../facets/field.ts";
import type { FieldRef, Selection } from "../tree.ts";
import { whereSql } from "./conditions.ts";
import { facetColumn } from "./facet-columns.ts";
import { type CompileContext, Scope } from "./scope.ts";

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
export function compileTimedCounts(wanted: TimedSelection, context: CompileContext): Statement {
  const scope = Scope.of(wanted.rows.entity, context);
  const time = scope.use(wanted.time.field.sql);
  const by = wanted.by === undefined ? undefined : facetColumn(scope, wanted.by);
  const step = `(epoch_us(${time}) - ${scope.value(wanted.origin)}::BIGINT) // ${scope.value(wanted.step)}::BIGINT`;
  const where = whereSql(scope, wanted.rows);
  const value = by?.value === undefined ? "" : `, any_value(${by.value}) AS v`;
  const rows = `SELECT ${step} AS step, ${by?.key ?? "NULL"} AS k${value}, count(*) AS n ${scope.from()}${where} GROUP BY 1, 2`;
  const json = by?.json(by.value === undefined ? "k" : "v") ?? "NULL";
  return scope.statement(
    `SELECT concat('[', step, ',', coalesce(${json}, 'null'), ',', n, ']') FROM (${rows}) WHERE step IS NOT NULL`,
  );
}
