import { bucketLimits } from "#storage/metrics/buckets.ts";
import type { GaugeValue } from "#storage/metrics/gauge.ts";
import type { Group, Instrument, Registered, Registry } from "#storage/metrics/registry.ts";
import type { Snapshot } from "#storage/metrics/snapshot.ts";
import type { Timer } from "#storage/metrics/timer.ts";
import type { Labels, PrometheusMetric, Sample } from "./text.ts";

/**
 * The meaning of an instrument's name: `item` is what is measured, other groups are labels. The total of all commands
 * is a metric of its own, so that a sum over commands counts nothing twice.
 */
interface Shape {
  readonly group: Group;
  readonly pattern: RegExp;
  readonly prefix: string;
}

const shapes: readonly Shape[] = [
  { group: "mq", pattern: /^global\.(?<item>.+)$/, prefix: "puppetdb_mq_global_" },
  { group: "mq", pattern: /^origin\.(?<origin>.+)\.(?<item>[^.]+)$/, prefix: "census_follow_" },
  { group: "mq", pattern: /^log\.(?<item>.+)$/, prefix: "census_command_log_" },
  { group: "mq", pattern: /^(?<command>.+)\.(?<version>[^.]+)\.(?<item>[^.]+)$/, prefix: "puppetdb_mq_command_" },
  { group: "dlo", pattern: /^global\.(?<item>.+)$/, prefix: "puppetdb_dlo_global_" },
  { group: "dlo", pattern: /^(?<command>.+)\.(?<item>[^.]+)$/, prefix: "puppetdb_dlo_command_" },
  { group: "storage", pattern: /^(?<item>.+)$/, prefix: "puppetdb_storage_" },
  { group: "population", pattern: /^(?<item>.+)$/, prefix: "puppetdb_population_" },
  { group: "history", pattern: /^(?<item>.+)$/, prefix: "puppetdb_history_" },
  { group: "database", pattern: /^(?<pool>[^.]+)\.pool\.(?<item>.+)$/, prefix: "puppetdb_database_" },
  { group: "admin", pattern: /^(?<item>.+)$/, prefix: "puppetdb_admin_" },
  { group: "http", pattern: /^(?<path>.+)\.(?<item>service-time)$/, prefix: "puppetdb_http_" },
  { group: "http", pattern: /^(?<path>.+)\.(?<status>\d+)$/, prefix: "puppetdb_http_responses" },
];

/** Counters that also go down, which Prometheus calls gauges. */
const goesDown: ReadonlySet<string> = new Set([
  "depth",
  "concurrent-depth",
  "awaiting-retry",
  "invalidated",
  "messages",
  "filesize",
]);

/** What histograms count, where it has a unit; timers are seconds throughout. */
const units: Readonly<Record<string, string>> = {
  size: "_bytes",
  filesize: "_bytes",
  "queue-time": "_seconds",
  Usage: "_milliseconds",
  ConnectionCreation: "_milliseconds",
};

/** Timers that are also histograms, whose buckets can be added over several servers, with the names of those. */
const histograms: Readonly<Record<string, string>> = {
  puppetdb_http_service_time_seconds: "census_http_request_duration_seconds",
  puppetdb_mq_command_processing_time_seconds: "census_command_processing_duration_seconds",
};

const parts = [0.5, 0.75, 0.95, 0.98, 0.99, 0.999] as const;

/** Every instrument as metrics of Prometheus, ordered by name. Gauges without a number at the moment are left out. */
export async function serviceMetrics(registry: Registry): Promise<PrometheusMetric[]> {
  const metrics = new Map<string, { head: Omit<PrometheusMetric, "samples">; samples: Sample[] }>();
  for (const registered of registry) {
    const read = readName(registered);
    if (read === undefined) continue;
    const { name, labels } = read;
    const { instrument } = registered;
    const samples = await samplesOf(instrument, labels);
    const type = typeOf(instrument, read.item);
    const known = metrics.get(name) ?? { head: { name, type, help: helpOf(read.item, registered.group) }, samples: [] };
    known.samples.push(...samples);
    metrics.set(name, known);
    const histogram = histograms[name];
    if (histogram === undefined || instrument.kind !== "timer") continue;
    const durations = metrics.get(histogram) ?? {
      head: { name: histogram, type: "histogram" as const, help: known.head.help },
      samples: [],
    };
    durations.samples.push(...buckets(instrument, labels));
    metrics.set(histogram, durations);
  }
  const sorted = [...metrics.values()].sort((a, b) => (a.head.name < b.head.name ? -1 : 1));
  return sorted.map(({ head, samples }) => ({ ...head, samples }));
}

function readName({ group, name, instrument }: Registered): { name: string; item: string; labels: Labels } | undefined {
  for (const shape of shapes) {
    const found = shape.group === group ? shape.pattern.exec(name)?.groups : undefined;
    if (found === undefined) continue;
    const { item = "", ...labels } = found;
    const unit = instrument.kind === "timer" ? "_seconds" : (units[item] ?? "");
    const total = typeOf(instrument, item) === "counter" ? "_total" : "";
    return { name: shape.prefix + snakeCase(item) + unit + total, item, labels };
  }
  return undefined;
}

/** `processing-time` and `ActiveConnections` alike. */
function snakeCase(item: string): string {
  return item.replaceAll(/(?<=[a-z])(?=[A-Z])|-/g, "_").toLowerCase();
}

/** Of the log that several servers share. */
const logHelp: Readonly<Record<string, string>> = {
  position: "Entries of the shared command log up to this one are stored here",
  behind: "Entries of the shared command log that are not stored here yet",
  "behind-seconds": "Seconds since the oldest entry was accepted that is read and not stored here",
  "silent-seconds": "Seconds since the shared command log answered the last time",
  "differing-servers": "Servers with other data at the same position of the shared command log",
};

function helpOf(item: string, group: Group): string {
  const known = group === "mq" ? logHelp[item] : undefined;
  if (known !== undefined) return known;
  return item === ""
    ? "Responses by URL and status; a URL includes the paths below it"
    : `${item} of the ${group} metrics`;
}

function typeOf({ kind }: Instrument, item: string): PrometheusMetric["type"] {
  if (kind === "gauge" || (kind === "counter" && goesDown.has(item))) return "gauge";
  return kind === "counter" || kind === "meter" ? "counter" : "summary";
}

async function samplesOf(instrument: Instrument, labels: Labels): Promise<Sample[]> {
  switch (instrument.kind) {
    case "counter":
    case "meter":
      return [{ labels, value: instrument.count }];
    case "histogram":
      return summary(instrument, labels, 1);
    case "timer":
      return summary(instrument, labels, 1000);
    case "gauge": {
      const value = await Promise.resolve()
        .then(() => instrument.read())
        .catch(() => undefined);
      const number = value === undefined ? undefined : numberOf(value);
      return number === undefined ? [] : [{ labels, value: number }];
    }
  }
}

function summary(
  of: { readonly count: number; readonly sum: number; snapshot(): Snapshot },
  labels: Labels,
  divisor: number,
): Sample[] {
  const snapshot = of.snapshot();
  const quantile = (part: number): number => (snapshot.size === 0 ? Number.NaN : snapshot.quantile(part) / divisor);
  return [
    ...parts.map((part): Sample => ({ labels: { ...labels, quantile: String(part) }, value: quantile(part) })),
    { suffix: "_sum", labels, value: of.sum / divisor },
    { suffix: "_count", labels, value: of.count },
  ];
}

function buckets(timer: Timer, labels: Labels): Sample[] {
  const limits = [...bucketLimits.map((ms) => String(ms / 1000)), "+Inf"];
  const counts = [...timer.buckets(), timer.count];
  return [
    ...limits.map((le, index): Sample => ({ suffix: "_bucket", labels: { ...labels, le }, value: counts[index] ?? 0 })),
    { suffix: "_sum", labels, value: timer.sum / 1000 },
    { suffix: "_count", labels, value: timer.count },
  ];
}

/** A gauge's value as a number, fractions such as `7/2` included; undefined for other texts. */
function numberOf(value: GaugeValue): number | undefined {
  if (typeof value === "number") return value;
  const fraction = /^(\d+)\/(\d+)$/.exec(value);
  return fraction === null ? undefined : Number(fraction[1]) / Number(fraction[2]);
}
