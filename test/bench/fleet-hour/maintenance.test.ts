import { expect, it } from "vitest";
import { logMaintenance } from "#cli/maintenance-log.ts";
import type { MaintenanceEvent } from "#storage/lifecycle/events.ts";
import { expectedOperations, maintenanceRuns, runsByOperation } from "./maintenance.ts";

/** What a server logs of some events. */
function logOf(events: readonly MaintenanceEvent[]): string {
  const lines: string[] = [];
  const write = (message: string): void => {
    lines.push(JSON.stringify({ time: "2026-11-26T10:00:05.500Z", level: "info", message }));
  };
  const fault = (what: string, error: unknown): void => write(`${what}: ${String(error)}`);
  const listener = logMaintenance({ debug: write, notice: write, warn: write, fault });
  for (const event of events) listener(event);
  return ["not JSON", ...lines, ""].join("\n");
}

const end = Date.parse("2026-11-26T10:00:05.500Z");

it("reads what the server logs about its maintenance", () => {
  const log = logOf([
    { kind: "started", operation: "purge_reports" },
    { kind: "behind", what: "reports", days: 4 },
    { kind: "ended", operation: "purge_reports", ms: 1234.4, removed: 33_000 },
    { kind: "compacted", before: 2000, after: 1000, ms: 5678 },
    { kind: "failed", operation: "gc_catalogs", ms: 12, error: new Error("out of memory") },
    { kind: "expired", certname: "a.example" },
  ]);
  expect(maintenanceRuns(log)).toEqual([
    { operation: "purge_reports", end, duration: 1234, hasFailed: false },
    { operation: "compaction", end, duration: 5678, hasFailed: false },
    { operation: "gc_catalogs", end, duration: 12, hasFailed: true },
  ]);
});

it("counts the runs of each operation that have succeeded, also where there are none", () => {
  const run = { operation: "gc_packages", end, duration: 1, hasFailed: false };
  const counts = runsByOperation([run, run, { ...run, operation: "compaction", hasFailed: true }]);
  expect([...counts.keys()]).toEqual(expectedOperations);
  expect(counts.get("gc_packages")).toBe(2);
  expect(counts.get("compaction")).toBe(0);
});
