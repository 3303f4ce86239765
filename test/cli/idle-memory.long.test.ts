import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { releaseMemoryWhenIdle } from "#cli/idle-memory.ts";
import { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a } from "#test/fixture-store.ts";

/** Enough of them for other threads to be worth it. */
const values = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`fact_${n}`, `${n} `.padEnd(80, "some ")]));

const NEVER = 3_600_000;

describe("a store to which no more commands arrive", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await Store.open({ directory: folder.path });
  });
  afterEach(async () => {
    await store.close();
    await folder[Symbol.asyncDispose]();
  });

  /** Bytes that are in the engine's log and not in the file yet. */
  const logged = async (): Promise<number> =>
    stat(join(folder.path, `${databaseFile}.wal`)).then(
      ({ size }) => size,
      () => 0,
    );

  it.each([
    ["a moment", { pause: 100, betweenPauses: 0, rest: NEVER }],
    ["a while", { pause: 200, betweenPauses: 0, rest: 100 }],
  ])("writes its log into its file after %s, and stores the next command", async (_when, times) => {
    await store.submit(a.facts("first.example.com", { values }));
    expect(await logged()).toBeGreaterThan(0);
    const stop = releaseMemoryWhenIdle(store, times);
    try {
      await store.submit(a.facts("second.example.com", { values }));
      await expect.poll(logged).toBe(0);
      expect(await store.submit(a.facts("third.example.com", { values }))).toBe("stored");
    } finally {
      stop();
    }
  });

  it("stores commands that arrive while it frees memory", async () => {
    const certnames = Array.from({ length: 5 }, (_, n) => `node-${n}.example.com`);
    const outcomes = certnames.map(async (certname) => {
      const outcome = store.submit(a.facts(certname, { values }));
      await store.rest({ isLong: false });
      await store.rest({ isLong: true });
      return outcome;
    });
    expect(await Promise.all(outcomes)).toEqual(certnames.map(() => "stored"));
  });
});
