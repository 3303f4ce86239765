import { CensusError } from "../../errors.ts";
import { type Json, stringifyJson } from "../../json.ts";
import { Zone } from "../../time/zone.ts";
import { compileTimedCounts, type TimedSelection } from "../compile/histogram.ts";
import type { CompileContext } from "../compile/statement.ts";
import type { Entity } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { type FacetField, facetField } from "../facets/field.ts";
import { type Plan, type RowsSpec, rowsSelected } from "../query.ts";
import type { FieldRef } from "../tree.ts";
import { bucketStarts, type BucketWidth, MOST_BUCKETS, type TimeRange, widthOf } from "./buckets.ts";
import { reportOutcomes } from "./report-outcomes.ts";
import type { Histogram } from "./result.ts";
import { micros, within } from "./within.ts";

/** Counts of a query's rows over time. */
export interface HistogramSpec extends RowsSpec, TimeRange {
  /** A field that is a time. */
  readonly field: string;
  /** The field whose values become series; of reports, `status` is the outcome (`report-outcomes.ts`). */
  readonly by?: string;
  /** Maximum buckets. */
  readonly buckets: number;
  /** The zone in which buckets begin with hours and days: `UTC`, `Europe/Berlin`. */
  readonly zone: string;
}

/** The count of rows of a step and a series. */
export type TimedCount = readonly [step: number, value: Json, count: number];

/** A valid histogram. */
export interface ReadHistogram {
  /** The counted rows, regardless of time. */
  readonly timed: TimedSelection;
  readonly range: TimeRange;
  /** Makes the plan of one text `[step, value, count]` for each step and series. */
  readonly plan: (context: CompileContext) => Plan;
  readonly of: (counts: readonly TimedCount[]) => Histogram;
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
  const { from, to, zone: name } = spec;
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
  const by = spec.by === undefined ? undefined : seriesField(selected.entity, spec.by);
  const starts = bucketStarts(spec, width, zone);
  const step = largestStep(starts);
  const [origin = from] = starts;
  const timed = {
    rows: selected,
    time,
    ...(by === undefined ? {} : { by }),
    origin: micros(origin),
    step: micros(step),
  };
  return {
    timed,
    range: spec,
    plan: (context) => {
      const statement = compileTimedCounts(within(timed, spec), context);
      return { rows: statement, total: () => statement };
    },
    of: (counts) => histogramOf(counts, { width, starts, step, by }),
  };
}

function timeField(entity: Entity, name: string): FieldRef {
  const field = facetField(entity, name, new Date(0));
  if (field.kind === "field" && field.ref.field.type === "timestamp") return field.ref;
  throw new QueryError(`'${name}' is not a time; a histogram of ${entity.alias} counts by a field that is one`);
}

function seriesField(entity: Entity, name: string): FacetField {
  if (entity.name === "reports" && name === "status") return reportOutcomes(entity);
  const field = facetField(entity, name, new Date(0));
  if (field.kind === "field" && field.ref.field.type === "array") {
    throw new QueryError(`'${name}' is a list: a row would belong to several series`);
  }
  return field;
}

/** The longest time (ms) that divides every bucket: the engine counts by it, and its counts are added up to buckets. */
function largestStep(starts: readonly number[]): number {
  const [first = 0] = starts;
  const step = starts.reduce((divisor, start) => greatestDivisor(divisor, start - first), 0);
  // For one bucket any step works.
  return step === 0 ? 7 * 86_400_000 * 2 : step;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

interface Layout {
  readonly width: BucketWidth;
  readonly starts: readonly number[];
  /** Milliseconds. */
  readonly step: number;
  readonly by: FacetField | undefined;
}

function histogramOf(counts: readonly TimedCount[], { width, starts, step, by }: Layout): Histogram {
  const { series, seriesOf } = by === undefined ? single : seriesFor(by, counts);
  const buckets = starts.map((start): [string, ...number[]] => [new Date(start).toISOString(), ...series.map(() => 0)]);
  const [origin = 0] = starts;
  for (const [at, value, count] of counts) {
    const place = lastUpTo(starts, origin + at * step);
    const index = series.indexOf(seriesOf(value)) + 1;
    const bucket = buckets[place];
    if (bucket !== undefined) bucket[index] = Number(bucket[index] ?? 0) + count;
  }
  return { width: width.seconds, unit: width.name, series, buckets };
}

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

/** The index of the last start at or before an instant. */
function lastUpTo(starts: readonly number[], instant: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? Infinity) <= instant) low = middle;
    else high = middle;
  }
  return low;
}
