import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { restWhenIdle } from "#cli/resting.ts";
import { databaseFile, Store } from "#storage/store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a } from "#test/fixture-store.ts";

/** Facts of about so many bytes. */
function facts(bytes: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: bytes / 100 }, (_, n) => [`fact_${n}`, `${n} `.padEnd(80, "some ")]));
}

const LITTLE = 100_000;
const MUCH = 1_600_000;
const NEVER = 3_600_000;

describe("a store that no commands come to any more", () => {
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
    ["after a moment, when it is long", { pause: 100, betweenPauses: 0, rest: NEVER }, MUCH],
    ["after a while, however short it is", { pause: 100, betweenPauses: NEVER, rest: 300 }, LITTLE],
  ])("writes its log into its file %s, and takes in the next one all the same", async (_when, times, bytes) => {
    await store.submit(a.facts("first.example.com", { values: facts(bytes) }));
    expect(await logged()).toBeGreaterThan(0);
    const stop = restWhenIdle(store, times);
    try {
      await store.submit(a.facts("second.example.com", { values: facts(LITTLE) }));
      await vi.waitFor(async () => expect(await logged()).toBe(0), { timeout: 10_000 });
      expect(await store.submit(a.facts("third.example.com", { values: facts(LITTLE) }))).toBe("stored");
    } finally {
      stop();
    }
  });

  it("leaves a short log where it is after a moment", async () => {
    await store.submit(a.facts("first.example.com", { values: facts(LITTLE) }));
    const before = await logged();
    expect(before).toBeGreaterThan(0);
    await store.shrink();
    expect(await logged()).toBe(before);
  });

  it("is not kept from taking in commands that come while it gives memory back", async () => {
    const certnames = Array.from({ length: 5 }, (_, n) => `node-${n}.example.com`);
    const outcomes = certnames.map(async (certname) => {
      const outcome = store.submit(a.facts(certname, { values: facts(LITTLE) }));
      await store.shrink();
      await store.rest();
      return outcome;
    });
    expect(await Promise.all(outcomes)).toEqual(certnames.map(() => "stored"));
  });
});
