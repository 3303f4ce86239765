import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { operationNames } from "#storage/lifecycle/operation.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { payloadBytes } from "#storage/ingest/submission.ts";
import { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { fixedClock, type Timestamp } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, time } from "#test/fixture-store.ts";
import { inOrderOfArrival, randomCommands } from "#test/storage/history/random-commands.ts";
import { MemoryReplicatedLog, type Pace } from "#test/storage/queue/replicated/memory-log.ts";

const HOUR = 3_600_000_000n;

/** A log of random commands: late, repeated and invalid ones among them, and maintenance between them. */
function randomLog(seed: number, count: number): MemoryReplicatedLog {
  const random = new Random(seed, "log");
  const log = new MemoryReplicatedLog();
  let last: Timestamp = 0n;
  for (const { submission } of inOrderOfArrival(seed, randomCommands(seed, count))) {
    last = submission.received > last ? submission.received : last;
    const { payload: _, ...envelope } = submission;
    const add = (changes: Partial<typeof envelope> = {}, payload = payloadBytes(submission)): void =>
      void log.append({ ...envelope, producerTimestamp: submission.received, faults: [], ...changes }, payload);
    add();
    if (random.chance(0.15)) add({ received: last });
    if (random.chance(0.03)) add({}, Buffer.from('{"certname": "alpha"'));
    if (random.chance(0.02)) log.maintain({ kind: "delete node", certname: random.pick(["beta", "unknown"]) }, last);
    if (random.chance(0.05)) {
      const kept = { ...defaultRetention, nodeTtl: HOUR, nodePurgeTtl: HOUR, reportTtl: HOUR, historyTtl: 2n * HOUR };
      const operations = operationNames.filter(() => random.chance(0.5));
      log.maintain({ kind: "clean", operations, purgeLimit: 1, kept }, last);
    }
  }
  return log;
}

interface Run {
  readonly pace: Pace;
  /** How often the store is closed and opened again on its way. */
  readonly restarts: number;
  readonly now: Timestamp;
}

async function followed(log: MemoryReplicatedLog, { pace, restarts, now }: Run, options: StoreOptions = {}) {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, "data");
  const open = (): Promise<Store> =>
    Store.open({ directory, clock: fixedClock(now), commandLog: log.opener(pace), ...options });
  let store = await open();
  for (let part = 1; part <= restarts + 1; part++) {
    const end = part > restarts ? log.head : Math.floor((log.head * part) / (restarts + 2));
    while ((store.followed?.position ?? 0) < end) await pause(10);
    if (part > restarts) break;
    await store.close();
    store = await open();
  }
  const found = await store.fingerprint();
  await store.close();
  return found;
}

function paceOf(seed: number, size: number, ms: number): Pace {
  const random = new Random(seed, "pace");
  return { size: () => random.integer(1, size), ms: () => random.integer(0, ms) };
}

const withoutHistory = { retention: { historyTtl: 0n } };

describe("stores that follow one log", () => {
  it.each<[what: string, seed: number, options: StoreOptions]>([
    ["with recorded changes", 1, {}],
    ["without recorded changes", 2, withoutHistory],
  ])(
    "have one fingerprint %s, at any speed, with any batches, restarts and clocks (seed %i)",
    async (_, seed, options) => {
      const log = randomLog(seed, 120);
      const runs: readonly Run[] = [
        { pace: paceOf(seed, 1000, 0), restarts: 0, now: time("2026-11-21T00:00:00Z") },
        { pace: paceOf(seed, 4, 10), restarts: 1, now: time("2026-12-15T00:00:00Z") },
        { pace: paceOf(seed + 100, 30, 30), restarts: 1, now: time("2020-01-01T00:00:00Z") },
      ];
      const [first, ...others] = await Promise.all(runs.map((run) => followed(log, run, options)));
      expect(first?.position).toBe(log.head);
      for (const other of others) expect(other).toStrictEqual(first);
    },
  );
});

describe("a fingerprint", () => {
  it("differs where one value does", async () => {
    const one = await Store.open();
    const other = await Store.open();
    await one.submit(a.facts("web", { values: { kernel: "Linux" } }));
    await other.submit(a.facts("web", { values: { kernel: "Linus" } }));
    const [ofOne, ofOther] = [await one.fingerprint(), await other.fingerprint()];
    expect(ofOne.content).not.toBe(ofOther.content);
    expect(ofOne.tables["facts"]).not.toBe(ofOther.tables["facts"]);
    expect(ofOne.tables["environments"]).toBe(ofOther.tables["environments"]);
    await one.close();
    await other.close();
  });
});
