import { describe, expect, it } from "vitest";
import { CensusError } from "#storage/errors.ts";
import type { CommandEvent } from "#storage/queue/events.ts";
import { CommandMetrics } from "#storage/metrics/families/commands.ts";
import { recordStored, storageMetrics } from "#storage/metrics/families/storage.ts";
import { Registry } from "#storage/metrics/registry.ts";
import type { QueueEntry } from "#storage/queue/entry.ts";
import { fixedClock } from "#storage/time.ts";
import { NOW } from "#test/fixture-store.ts";
import { hand } from "../hand.ts";

/** Received 90.5 s before now. */
const entry: QueueEntry = {
  id: 1,
  command: "replace facts",
  version: 5,
  certname: "web",
  received: NOW - 90_500_000n,
  size: 1234,
  faults: [],
};
const failed = (times: number): QueueEntry => ({
  ...entry,
  faults: Array.from({ length: times }, () => ({ at: NOW, message: "no" })),
});

const received: CommandEvent = { kind: "received", entry, ms: 2 };
const processed = (of: QueueEntry): CommandEvent => ({
  kind: "processed",
  entry: of,
  outcome: "stored",
  ms: 7,
});
const postponed = (of: QueueEntry): CommandEvent => ({ kind: "postponed", entry: of, error: new Error("no"), at: 0 });
const discarded = (of: QueueEntry, error: Error): CommandEvent => ({
  kind: "discarded",
  entry: of,
  error,
  place: undefined,
});
const hopeless = new CensusError("bad-input", "never right");

/** What is not 0 after these events, of one family. */
function counted(prefix: string, ...events: CommandEvent[]): Record<string, number> {
  const registry = new Registry(hand().ticks);
  const metrics = new CommandMetrics(registry, fixedClock(NOW));
  for (const event of events) metrics.record(event);
  const found = [...registry].flatMap(({ name, instrument }): [string, number][] => {
    if (!name.startsWith(prefix) || instrument.kind === "gauge" || instrument.count === 0) return [];
    return [[name.slice(prefix.length), instrument.count]];
  });
  return Object.fromEntries(found);
}

const attempt = { seen: 1, "queue-time": 1, "retry-counts": 1 };
const receipt = { size: 1, "message-persistence-time": 1 };

/** reference/commands.md §2.8 */
const cases: readonly (readonly [story: string, events: CommandEvent[], expected: Record<string, number>])[] = [
  ["received", [received], { ...receipt, depth: 1 }],
  ["stored", [received, processed(entry)], { ...receipt, ...attempt, processed: 1, "processing-time": 1 }],
  [
    "failed once",
    [received, postponed(failed(1))],
    { ...receipt, ...attempt, depth: 1, retried: 1, "awaiting-retry": 1 },
  ],
  [
    "stored at the second try",
    [received, postponed(failed(1)), processed(failed(1))],
    { ...receipt, seen: 2, "queue-time": 2, "retry-counts": 2, retried: 1, processed: 1, "processing-time": 1 },
  ],
  [
    "failed too often",
    [received, postponed(failed(1)), discarded(failed(1), new Error("no"))],
    { ...receipt, seen: 2, "queue-time": 2, "retry-counts": 2, retried: 2, discarded: 1 },
  ],
  ["never right", [received, discarded(entry, hopeless)], { ...receipt, fatal: 1, discarded: 1 }],
  ["superseded", [received, { kind: "superseded", entry }], { ...receipt, depth: 1, invalidated: 1, ignored: 1 }],
  [
    "superseded and gone",
    [received, { kind: "superseded", entry }, { kind: "obsolete", entry }],
    { ...receipt, ignored: 1 },
  ],
];

describe("a checksum that is not the payload's", () => {
  it("is counted, for all commands together", () => {
    expect(counted("global.", { kind: "checksum", entry })).toEqual({ "checksum-mismatches": 1 });
    expect(counted("replace facts.5.", { kind: "checksum", entry })).toEqual({});
  });
});

describe("a command that is", () => {
  it.each(cases)("%s", (_, events, expected) => {
    expect(counted("global.", ...events)).toEqual(expected);
    expect(counted("replace facts.5.", ...events)).toEqual(expected);
  });
});

describe("command metrics", () => {
  it("measure whole seconds in the queue, earlier tries, bytes and milliseconds", () => {
    const registry = new Registry(hand().ticks);
    const metrics = new CommandMetrics(registry, fixedClock(NOW));
    for (const event of [received, postponed(failed(1)), processed(failed(1))]) metrics.record(event);
    const largest = (name: string, kind: "histogram" | "timer"): number =>
      registry.get("mq", `replace facts.5.${name}`, kind).snapshot().max;
    expect(largest("queue-time", "histogram")).toBe(90);
    expect(largest("retry-counts", "histogram")).toBe(1);
    expect(largest("size", "histogram")).toBe(1234);
    expect(largest("processing-time", "timer")).toBe(7);
    expect(largest("message-persistence-time", "timer")).toBe(2);
  });

  it("are created for a command when it first arrives", () => {
    const registry = new Registry(hand().ticks);
    const metrics = new CommandMetrics(registry, fixedClock(NOW));
    expect([...registry].every(({ name }) => name.startsWith("global."))).toBe(true);
    metrics.loaded({ ...entry, command: "store report", version: 8 });
    expect(registry.find("mq", "store report.8.depth")).toMatchObject({ count: 1 });
  });

  it("count all unknown versions as one", () => {
    const registry = new Registry(hand().ticks);
    const metrics = new CommandMetrics(registry, fixedClock(NOW));
    for (const version of [0, 1, 99, 10_000]) metrics.loaded({ ...entry, version });
    expect(registry.find("mq", "unknown.unknown.depth")).toMatchObject({ count: 4 });
    const families = new Set([...registry].map(({ name }) => name.replace(/[^.]+$/, "")));
    expect(families).toEqual(new Set(["global.", "unknown.unknown."]));
  });

  it("include the depths of the queue once there is one", () => {
    const registry = new Registry(hand().ticks);
    const metrics = new CommandMetrics(registry, fixedClock(NOW));
    metrics.observe({ depth: 12, awaitingRetry: 3 });
    metrics.record(received);
    expect(registry.find("mq", "global.depth")).toMatchObject({ count: 12 });
    expect(registry.find("mq", "global.awaiting-retry")).toMatchObject({ count: 3 });
  });
});

describe("storage metrics", () => {
  it("include the ratio of catalogs that were stored already", async () => {
    const registry = new Registry(hand().ticks);
    const storage = storageMetrics(registry);
    const gauge = registry.find("storage", "duplicate-pct");
    const part = (): unknown => (gauge?.kind === "gauge" ? gauge.read() : undefined);
    expect(part()).toBe(0);
    for (const outcome of ["stored", "unchanged", "unchanged", "unchanged", "stale"] as const) {
      recordStored(storage, {
        kind: "processed",
        entry: { ...entry, command: "replace catalog", version: 9 },
        outcome,
        ms: 3,
      });
    }
    expect(part()).toBe(0.75);
    expect(storage["new-catalogs"].count).toBe(1);
    expect(storage["duplicate-catalogs"].count).toBe(3);
    expect(storage["replace-catalog-time"].count).toBe(5);
    expect(storage["catalog-hash-match-time"].count).toBe(3);
    expect(storage["catalog-hash-miss-time"].count).toBe(1);
  });
});
