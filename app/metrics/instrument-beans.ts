import type { Instrument } from "#storage/metrics/registry.ts";
import type { Rates } from "#storage/metrics/meter.ts";
import type { Snapshot } from "#storage/metrics/snapshot.ts";
import type { Attribute, AttributeValue, MBean, Operation } from "./mbean.ts";
import type { ObjectName } from "./object-name.ts";

type Kind = Instrument["kind"];
type OfKind<K extends Kind> = Extract<Instrument, { kind: K }>;

/** Name, Java type, how it is read. */
type Row<I> = readonly [name: string, type: string, read: (instrument: I) => AttributeValue | Promise<AttributeValue>];

const rateRows: readonly (readonly [name: string, of: keyof Rates])[] = [
  ["MeanRate", "mean"],
  ["OneMinuteRate", "oneMinute"],
  ["FiveMinuteRate", "fiveMinutes"],
  ["FifteenMinuteRate", "fifteenMinutes"],
];
const metered: readonly Row<{ rates(): Rates }>[] = [
  ...rateRows.map(([name, of]): Row<{ rates(): Rates }> => [name, "double", (it) => it.rates()[of]]),
  ["RateUnit", "java.lang.String", () => "events/second"],
];

const quantiles: readonly (readonly [name: string, part: number])[] = [
  ["50thPercentile", 0.5],
  ["75thPercentile", 0.75],
  ["95thPercentile", 0.95],
  ["98thPercentile", 0.98],
  ["99thPercentile", 0.99],
  ["999thPercentile", 0.999],
];
/** @param type of the smallest and largest value: integers in histograms, fractions of milliseconds in timers */
const distributed = (type: "long" | "double"): readonly Row<{ snapshot(): Snapshot }>[] => [
  ["Min", type, (it) => it.snapshot().min],
  ["Max", type, (it) => it.snapshot().max],
  ["Mean", "double", (it) => it.snapshot().mean],
  ["StdDev", "double", (it) => it.snapshot().standardDeviation],
  ...quantiles.map(([name, part]): Row<{ snapshot(): Snapshot }> => [
    name,
    "double",
    (it) => it.snapshot().quantile(part),
  ]),
];

const counted: Row<{ readonly count: number }> = ["Count", "long", (it) => it.count];

/** The attributes of each kind (`reference/metrics.md §4`). */
const rows: { readonly [K in Kind]: readonly Row<OfKind<K>>[] } = {
  gauge: [["Value", "java.lang.Object", (it) => it.read()]],
  counter: [counted],
  meter: [counted, ...metered],
  histogram: [counted, ...distributed("long"), ["SnapshotSize", "long", (it) => it.snapshot().size]],
  timer: [counted, ...metered, ...distributed("double"), ["DurationUnit", "java.lang.String", () => "milliseconds"]],
};

const classNames: Readonly<Record<Kind, string>> = {
  gauge: "com.codahale.metrics.JmxReporter$JmxGauge",
  counter: "com.codahale.metrics.JmxReporter$JmxCounter",
  meter: "com.codahale.metrics.JmxReporter$JmxMeter",
  histogram: "com.codahale.metrics.JmxReporter$JmxHistogram",
  timer: "com.codahale.metrics.JmxReporter$JmxTimer",
};

const exposedOperation = (returns: string): Operation => ({
  returns,
  description: "Operation exposed for management",
});
const named: readonly [string, Operation] = ["objectName", exposedOperation("javax.management.ObjectName")];
const sampled: readonly [string, Operation] = ["values", exposedOperation("[J")];
const operations = (kind: Kind): ReadonlyMap<string, Operation> =>
  new Map(kind === "histogram" || kind === "timer" ? [named, sampled] : [named]);

/** An instrument as PuppetDB shows it. */
export function instrumentBean(name: ObjectName, instrument: Instrument): MBean {
  return {
    name,
    className: classNames[instrument.kind],
    description: "Information on the management interface of the MBean",
    attributes: attributesOf(instrument),
    operations: operations(instrument.kind),
  };
}

function attributesOf<K extends Kind>(instrument: OfKind<K>): ReadonlyMap<string, Attribute> {
  const own = rows[instrument.kind as K];
  return new Map(
    own.map(([name, type, read]) => [
      name,
      { type, description: "Attribute exposed for management", read: () => read(instrument) },
    ]),
  );
}
