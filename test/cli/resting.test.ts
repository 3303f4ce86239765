import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { restWhenIdle } from "#cli/resting.ts";
import { databaseFile, Store } from "#storage/store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a } from "#test/fixture-store.ts";

it("a store that no commands come to any more writes its log into its file, and takes in the next one all the same", async () => {
  await using folder = await temporaryFolder();
  const store = await Store.open({ directory: folder.path });
  const stop = restWhenIdle(store, 300);
  const logged = async (): Promise<number> =>
    stat(join(folder.path, `${databaseFile}.wal`)).then(
      ({ size }) => size,
      () => 0,
    );
  try {
    const values = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`fact_${n}`, "some value ".repeat(3)]));
    await store.submit(a.facts("first.example.com", { values }));
    expect(await logged()).toBeGreaterThan(0);
    await vi.waitFor(async () => expect(await logged()).toBe(0), { timeout: 10_000 });
    await store.submit(a.facts("second.example.com", { values }));
    expect(await logged()).toBeGreaterThan(0);
  } finally {
    stop();
    await store.close();
  }
});
