import { silenceAt } from "../../states/node-state.ts";
import { CensusError } from "../../errors.ts";
import { type ExactNumber, isNumber, type Json, numberText, stringifyJson } from "../../json.ts";
import { Zone } from "../../time/zone.ts";
import { compileTimed } from "../compile/histogram.ts";
import type { CompileContext } from "../compile/statement.ts";
import type { Entity } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { type FacetField, facetField } from "../facets/field.ts";
import { junction } from "../fold.ts";
import { type Plan, type RowsSpec, rowsSelected } from "../query.ts";
import type { Condition, FieldRef } from "../tree.ts";
import { bucketStarts, type BucketWidth, MOST_BUCKETS, type TimeRange, widthOf } from "./buckets.ts";
import { reportOutcomes } from "./report-outcomes.ts";
import type { Histogram, Measure } from "./result.ts";

/** The series of `duration`: runs, and the seconds that half and 95 % of them took at most. */
const durations = ["runs", "median", "p95"] as const;

/** Counts of a query's rows over time. */
export interface HistogramSpec extends RowsSpec, TimeRange {
  /** A field that is a time. */
  readonly field: string;
  /** The field whose values become series; of reports, `status` is the outcome (`report-outcomes.ts`). */
  readonly by?: string;
  /** Default: rows. */
  readonly measure?: Measure;
  /** Maximum buckets. */
  readonly buckets: number;
  /** The zone in which buckets begin with hours and days: `UTC`, `Europe/Berlin`. */
  readonly zone: string;
}

/** A row of the statement: the bucket, then a value of `by` and a count, or the numbers of {@link durations}. */
export type TimedRow = readonly [bucket: number, ...of: Json[]];

/** A valid histogram. */
export interface ReadHistogram {
  /** Makes the plan of one text, a {@link TimedRow}, for each bucket and series that has rows. */
  readonly plan: (context: CompileContext) => Plan;
  readonly of: (rows: readonly TimedRow[]) => Histogram;
}

/** A histogram whose rows are to be counted. */
export interface PlannedHistogram extends Omit<ReadHistogram, "plan"> {
  readonly plan: Plan;
}

/** Maximum series of values that are not known beforehand; the others are added up. */
const MOST_SERIES = 20;
const OTHERS = "others";

/**
 * Reads a histogram's parameters.
 * @throws QueryError, or CensusError "bad-input", for invalid ones
 */
export function readHistogram(spec: HistogramSpec): ReadHistogram {
  const { from, to, zone: name, measure = "rows" } = spec;
  if (!(from < to)) throw new CensusError("bad-input", "the time range ends before it begins");
  if (!(spec.buckets >= 1 && spec.buckets <= MOST_BUCKETS)) {
    throw new CensusError("bad-input", `there may be 1 to ${MOST_BUCKETS} buckets`);
  }
  const zone = Zone.named(name);
  if (zone === undefined) {
    throw new CensusError("bad-input", `'${name}' is not a time zone; write UTC or a name such as Europe/Berlin`);
  }
  const width = widthOf(spec, spec.buckets);
  const selected = rowsSelected(spec);
  const time = timeField(selected.entity, spec.field);
  checkMeasure(measure, selected.entity, spec.by);
  const by = spec.by === undefined ? undefined : seriesField(selected.entity, spec.by);
  const starts = bucketStarts(spec, width, zone);
  const step = largestStep(starts);
  const [origin = from] = starts;
  const bounds: Condition[] = [
    { kind: "compare", ref: time, op: ">=", value: { micros: micros(from) } },
    { kind: "compare", ref: time, op: "<", value: { micros: micros(to) } },
  ];
  const clauses: Condition[] = [...(selected.where === null ? [] : [selected.where]), { kind: "and", clauses: bounds }];
  const timed = {
    rows: { ...selected, where: junction("and", clauses) },
    measure,
    time,
    ...(by === undefined ? {} : { by }),
    origin: micros(origin),
    step: micros(step),
    buckets: bucketsOfSteps(starts, step, to),
  };
  return {
    plan: (context) => {
      const statement = compileTimed(timed, context);
      return { rows: statement, total: () => statement };
    },
    of: (rows) => {
      const layout = { width, starts, by };
      return measure === "duration" ? durationsOf(rows, layout) : histogramOf(rows, layout);
    },
  };
}

/** @throws QueryError where nodes or durations are wanted of something that has none */
function checkMeasure(measure: Measure, { name }: Entity, by: string | undefined): void {
  if (measure === "nodes" && (name !== "reports" || by !== "status")) {
    throw new QueryError("nodes are counted in reports, by status");
  }
  if (measure === "duration" && (name !== "reports" || by !== undefined)) {
    throw new QueryError("only reports have durations, which are of all runs of a bucket");
  }
}

/** Milliseconds since the epoch as microseconds. */
function micros(ms: number): bigint {
  return BigInt(ms) * 1000n;
}

function timeField(entity: Entity, name: string): FieldRef {
  const field = facetField(entity, name, silenceAt(0, 0));
  if (field.kind === "field" && field.ref.field.type === "timestamp") return field.ref;
  throw new QueryError(`'${name}' is not a time; a histogram of ${entity.alias} counts by a field that is one`);
}

function seriesField(entity: Entity, name: string): FacetField {
  if (entity.name === "reports" && name === "status") return reportOutcomes(entity);
  const field = facetField(entity, name, silenceAt(0, 0));
  if (field.kind === "field" && field.ref.field.type === "array") {
    throw new QueryError(`'${name}' is a list: a row would belong to several series`);
  }
  return field;
}

/** The longest time (ms) that divides every bucket: by it the engine finds the bucket of a row. */
function largestStep(starts: readonly number[]): number {
  const [first = 0] = starts;
  const step = starts.reduce((divisor, start) => greatestDivisor(divisor, start - first), 0);
  // For one bucket any step works.
  return step === 0 ? 7 * 86_400_000 * 2 : step;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The bucket of each step. */
function bucketsOfSteps(starts: readonly number[], step: number, to: number): number[] {
  return starts.flatMap((start, bucket) => {
    const length = Math.ceil(((starts[bucket + 1] ?? to) - start) / step);
    return Array.from({ length }, () => bucket);
  });
}

interface Layout {
  readonly width: BucketWidth;
  readonly starts: readonly number[];
  readonly by: FacetField | undefined;
}

function histogramOf(rows: readonly TimedRow[], { width, starts, by }: Layout): Histogram {
  const counts = rows.map(([bucket, value = null, count]): TimedCount => [bucket, value, Number(count)]);
  const { series, seriesOf } = by === undefined ? single : seriesFor(by, counts);
  const buckets = starts.map((start): [string, ...number[]] => [new Date(start).toISOString(), ...series.map(() => 0)]);
  for (const [at, value, count] of counts) {
    const index = series.indexOf(seriesOf(value)) + 1;
    const bucket = buckets[at];
    if (bucket !== undefined) bucket[index] = Number(bucket[index] ?? 0) + count;
  }
  return { width: width.seconds, unit: width.name, series, buckets };
}

function durationsOf(rows: readonly TimedRow[], { width, starts }: Layout): Histogram {
  const buckets = rows
    .toSorted(([one], [other]) => one - other)
    .map(([at, ...of]) => [new Date(starts[at] ?? 0).toISOString(), ...of.filter(isNumber).map(numberOf)] as const);
  return { width: width.seconds, unit: width.name, series: durations, buckets };
}

function numberOf(number: number | ExactNumber): number {
  return Number(numberText(number));
}

type TimedCount = readonly [bucket: number, value: Json, count: number];

interface Series {
  readonly series: readonly string[];
  readonly seriesOf: (value: Json) => string;
}

const single: Series = { series: ["count"], seriesOf: () => "count" };

function seriesFor(by: FacetField, counts: readonly TimedCount[]): Series {
  if (by.kind === "cases") return { series: by.cases.map(({ name }) => name), seriesOf: bucketText };
  if (by.kind === "field" && by.ref.field.type === "boolean") {
    return { series: ["true", "false", "null"], seriesOf: bucketText };
  }
  const totals = new Map<string, number>();
  for (const [, value, count] of counts) totals.set(bucketText(value), (totals.get(bucketText(value)) ?? 0) + count);
  const sorted = [...totals].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([text]) => text);
  if (sorted.length <= MOST_SERIES) return { series: sorted, seriesOf: bucketText };
  const listed = sorted.slice(0, MOST_SERIES - 1);
  return {
    series: [...listed, OTHERS],
    seriesOf: (value) => (listed.includes(bucketText(value)) ? bucketText(value) : OTHERS),
  };
}

function bucketText(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
