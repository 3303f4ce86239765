import type { AttributeValue, MBeans } from "./mbean.ts";
import { canonicalName, parseObjectName } from "./object-name.ts";

/** A meter of the overview page. */
interface MeterDeclaration {
  readonly id: string;
  readonly description: string;
  readonly addendum: string;
  readonly mbean: string;
  readonly attribute: string;
  /** a key inside the attribute's value */
  readonly inner?: string;
  /** the divisor of the value */
  readonly divisor?: number;
  /** d3's notation */
  readonly format: string;
  /** smaller values are shown as 0 */
  readonly clampToZero?: number;
}

const population = (name: string): string => `puppetlabs.puppetdb.population:name=${name}`;
const queue = (name: string): string => `puppetlabs.puppetdb.mq:name=global.${name}`;
const http = (path: string): string => `puppetlabs.puppetdb.http:name=${path}.service-time`;

/** Value as such, a count, a median of milliseconds in seconds. */
const value = { attribute: "Value" } as const;
const count = { attribute: "Count", format: "s" } as const;
const seconds = { attribute: "50thPercentile", divisor: 1000, format: ".3s", clampToZero: 0.001 } as const;

/** `reference/metrics.md §6`. */
const meters: readonly MeterDeclaration[] = [
  {
    id: "heap",
    description: "Heap",
    addendum: "bytes",
    mbean: "java.lang:type=Memory",
    attribute: "HeapMemoryUsage",
    inner: "used",
    format: ".3s",
  },
  {
    id: "active-nodes",
    description: "Active nodes",
    addendum: "in the population",
    mbean: population("num-active-nodes"),
    format: "s",
    ...value,
  },
  {
    id: "inactive-nodes",
    description: "Inactive nodes",
    addendum: "in the population",
    mbean: population("num-inactive-nodes"),
    format: "s",
    ...value,
  },
  {
    id: "resources",
    description: "Resources",
    addendum: "in the population",
    mbean: population("num-resources"),
    format: "s",
    ...value,
  },
  {
    id: "resource-dupes",
    description: "Resource duplication",
    addendum: "% of resources stored",
    mbean: population("pct-resource-dupes"),
    format: ".1%",
    ...value,
  },
  {
    id: "catalog-dupes",
    description: "Catalog duplication",
    addendum: "% of catalogs encountered",
    mbean: "puppetlabs.puppetdb.storage:name=duplicate-pct",
    format: ".1%",
    ...value,
  },
  { id: "queue-depth", description: "Command queue", addendum: "depth", mbean: queue("depth"), ...count },
  {
    id: "processing-time",
    description: "Command processing",
    addendum: "s/command",
    mbean: queue("processing-time"),
    ...seconds,
  },
  {
    id: "processing-rate",
    description: "Command processing",
    addendum: "command/s",
    mbean: queue("processing-time"),
    attribute: "FiveMinuteRate",
    format: ".3s",
    clampToZero: 0.001,
  },
  { id: "processed", description: "Processed", addendum: "since startup", mbean: queue("processed"), ...count },
  { id: "retried", description: "Retried", addendum: "since startup", mbean: queue("retried"), ...count },
  { id: "discarded", description: "Discarded", addendum: "since startup", mbean: queue("discarded"), ...count },
  { id: "rejected", description: "Rejected", addendum: "since startup", mbean: queue("fatal"), ...count },
  {
    id: "enqueueing",
    description: "Enqueueing",
    addendum: "service time, seconds",
    mbean: http("/pdb/cmd/v1"),
    ...seconds,
  },
  {
    id: "persistence",
    description: "Command persistence",
    addendum: "message persistence time, seconds",
    mbean: queue("message-persistence-time"),
    ...seconds,
    format: ".2s",
  },
  {
    id: "collection-queries",
    description: "Collection queries",
    addendum: "service time, seconds",
    mbean: http("/pdb/query/v4/resources"),
    ...seconds,
  },
  {
    id: "compaction",
    description: "DB compaction",
    addendum: "turnaround time, seconds",
    mbean: "puppetlabs.puppetdb.storage:name=gc-time",
    ...seconds,
  },
  {
    id: "dead-letter-size",
    description: "Dead letters",
    addendum: "bytes",
    mbean: "puppetlabs.puppetdb.dlo:name=global.filesize",
    attribute: "Count",
    format: ".3s",
  },
  {
    id: "dead-letters",
    description: "Dead letters",
    addendum: "messages",
    mbean: "puppetlabs.puppetdb.dlo:name=global.messages",
    ...count,
  },
];

export interface DashboardMeter {
  readonly description: string;
  readonly addendum: string;
  readonly mbean: string;
  readonly format: string;
  /** null: nothing measured yet */
  readonly value: number | null;
  readonly id: string;
  readonly clampToZero?: number;
}

/** The meters with their values at this moment. */
export async function dashboardMeters(beans: MBeans): Promise<DashboardMeter[]> {
  return Promise.all(
    meters.map(async (meter) => {
      const { description, addendum, mbean, format, id, clampToZero } = meter;
      const clamp = clampToZero === undefined ? {} : { clampToZero };
      return { description, addendum, mbean, format, value: await measure(beans, meter), id, ...clamp };
    }),
  );
}

async function measure(
  beans: MBeans,
  { mbean, attribute, inner, divisor = 1 }: MeterDeclaration,
): Promise<number | null> {
  const read = beans.find(canonicalName(parseObjectName(mbean)))?.attributes.get(attribute)?.read;
  if (read === undefined) return null;
  // A gauge that cannot be read is a blank on the page, not the end of it.
  const outer = await Promise.resolve()
    .then(read)
    .catch(() => null);
  const found: AttributeValue | undefined =
    inner === undefined ? outer : (outer as Readonly<Record<string, AttributeValue>> | null)?.[inner];
  return typeof found === "number" ? found / divisor : null;
}
