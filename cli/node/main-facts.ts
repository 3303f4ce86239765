import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";

/** What the page shows of a node's facts, and where that is: the first path that has a value. */
const rows: readonly (readonly [label: string, ...paths: string[]])[] = [
  ["operating system", "os"],
  ["kernel", "kernelrelease"],
  ["architecture", "os.architecture", "architecture"],
  ["address", "networking.ip", "ipaddress"],
  ["processors", "processors.count", "processorcount"],
  ["memory", "memory.system.total", "memorysize"],
  ["machine", "virtual"],
  ["uptime", "system_uptime.uptime", "uptime"],
  ["time zone", "timezone"],
  ["puppet", "puppetversion"],
];

/** The names of the facts that {@link mainFacts} reads. */
export const mainFactNames: readonly string[] = [
  ...new Set(rows.flatMap(([, ...paths]) => paths.map((path) => path.split(".")[0] ?? ""))),
];

/** The main facts of a node by their label; those that it does not have are left out. */
export function mainFacts(values: JsonObject): JsonObject {
  const found = rows.flatMap(([label, ...paths]): [string, Json][] => {
    const value = paths.map((path) => valueAt(values, path)).find((candidate) => candidate !== undefined);
    const text = value !== undefined && isObject(value) ? releaseOf(value) : value;
    return text === undefined ? [] : [[label, text]];
  });
  return Object.fromEntries(found);
}

/** `Debian 12.8`. */
function releaseOf(os: JsonObject): string | undefined {
  const name = cellText(os["name"]);
  const release = valueAt(os, "release.full") ?? valueAt(os, "release.major");
  return name === "" ? undefined : `${name} ${cellText(release)}`.trim();
}

function valueAt(values: JsonObject, path: string): Json | undefined {
  return path.split(".").reduce<Json | undefined>((value, part) => (isObject(value) ? value[part] : undefined), values);
}
