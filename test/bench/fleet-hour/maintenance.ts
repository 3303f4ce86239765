import { operationNames } from "#storage/lifecycle/operation.ts";

/** A run of an operation of maintenance. */
export interface MaintenanceRun {
  /** `compaction`, or the name of the operation */
  readonly operation: string;
  /** ms since the epoch */
  readonly end: number;
  /** ms */
  readonly duration: number;
  readonly hasFailed: boolean;
}

/** What has to run in the hour: the other two are parts of these, or run on request only. */
export const expectedOperations: readonly string[] = [
  ...operationNames.filter((name) => name !== "purge_resource_events" && name !== "other"),
  "compaction",
];

const ended = /^(?<operation>\w+) removed \d+ in (?<ms>\d+) ms$/;
const compacted = /^compacted the store from \d+ to \d+ bytes in (?<ms>\d+) ms$/;
const failed = /^(?<operation>\w+) failed after (?<ms>\d+) ms/;

/** @param log of a server at level `debug`, as JSON: the default where it is written to a file */
export function maintenanceRuns(log: string): MaintenanceRun[] {
  return log.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const { time, message } = JSON.parse(line) as { readonly time: string; readonly message: string };
    const found = ended.exec(message) ?? compacted.exec(message) ?? failed.exec(message);
    if (found === null) return [];
    const { operation = "compaction", ms } = found.groups ?? {};
    const hasFailed = failed.test(message);
    return { operation, end: Date.parse(time), duration: Number(ms), hasFailed };
  });
}

/** How often each expected operation has ended without an error, by its name. */
export function runsByOperation(runs: readonly MaintenanceRun[]): Map<string, number> {
  const succeeded = runs.filter(({ hasFailed }) => !hasFailed);
  return new Map(
    expectedOperations.map((name) => [name, succeeded.filter(({ operation }) => operation === name).length]),
  );
}
