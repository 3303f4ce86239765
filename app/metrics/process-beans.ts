import type { Attribute, AttributeValue, MBean } from "./mbean.ts";
import { canonicalName, parseObjectName } from "./object-name.ts";
import type { ProcessFigures } from "./process-figures.ts";

type Read = () => AttributeValue | undefined;

interface Declaration {
  readonly name: string;
  readonly className: string;
  /** Java type and value; an attribute whose value is undefined is not there */
  readonly attributes: Readonly<Record<string, readonly [type: string, read: Read]>>;
}

const memoryUsage = "javax.management.openmbean.CompositeData";

/** Attributes of PuppetDB's runtime, where ours has an honest value for them (`reference/metrics.md §5.5`). */
const declarations = (figures: ProcessFigures): readonly Declaration[] => [
  {
    name: "java.lang:type=Memory",
    className: "sun.management.MemoryImpl",
    attributes: {
      ObjectPendingFinalizationCount: ["int", () => 0],
      Verbose: ["boolean", () => false],
      HeapMemoryUsage: [memoryUsage, () => figures.heap()],
      NonHeapMemoryUsage: [memoryUsage, () => figures.outsideHeap()],
    },
  },
  {
    name: "java.lang:type=Threading",
    className: "sun.management.ThreadImpl",
    attributes: {
      ThreadCount: ["int", () => figures.threads()?.count],
      PeakThreadCount: ["int", () => figures.threads()?.peak],
    },
  },
  {
    name: "java.lang:type=Runtime",
    className: "sun.management.RuntimeImpl",
    attributes: {
      Uptime: ["long", () => figures.uptime],
      StartTime: ["long", () => figures.startTime],
      VmName: ["java.lang.String", () => "Node.js"],
      VmVersion: ["java.lang.String", () => process.versions.node],
    },
  },
  {
    name: "java.lang:type=OperatingSystem",
    className: "sun.management.OperatingSystemImpl",
    attributes: {
      OpenFileDescriptorCount: ["long", () => figures.fileDescriptors()?.used],
      MaxFileDescriptorCount: ["long", () => figures.fileDescriptors()?.max],
      ProcessCpuLoad: ["double", () => figures.cpuLoad().own],
      SystemCpuLoad: ["double", () => figures.cpuLoad().system],
      AvailableProcessors: ["int", () => figures.processors],
    },
  },
  ...[...figures.collections().keys()].map((collector): Declaration => ({
    name: `java.lang:type=GarbageCollector,name=${collector}`,
    className: "sun.management.GarbageCollectorImpl",
    attributes: {
      CollectionCount: ["long", () => figures.collections().get(collector)?.count],
      CollectionTime: ["long", () => Math.round(figures.collections().get(collector)?.ms ?? 0)],
      Name: ["java.lang.String", () => collector],
    },
  })),
];

/** The MBeans of the process itself. */
export function processBeans(figures: ProcessFigures): readonly MBean[] {
  return declarations(figures).map(({ name, className, attributes }) => {
    const parsed = parseObjectName(name);
    const known = Object.entries(attributes).flatMap(([attribute, [type, read]]): [string, Attribute][] => {
      if (read() === undefined) return [];
      return [[attribute, { type, description: attribute, read: () => read() ?? null }]];
    });
    const own: Attribute = {
      type: "javax.management.ObjectName",
      description: "ObjectName",
      read: () => ({ objectName: canonicalName(parsed) }),
    };
    return {
      name: parsed,
      className,
      description: "Information on the management interface of the MBean",
      attributes: new Map([...known, ["ObjectName", own]]),
      operations: new Map(),
    };
  });
}
