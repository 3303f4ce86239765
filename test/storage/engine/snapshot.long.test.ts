import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { Snapshot } from "#storage/engine/snapshot.ts";

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 2 });
});
beforeEach(async () => {
  await database.execute("CREATE OR REPLACE TABLE numbers (n INTEGER)");
});
afterAll(() => database.close());

async function countThrough(view: Snapshot): Promise<number> {
  const [row] = await view.rows<{ count: bigint }>("SELECT count(*) AS count FROM numbers");
  return Number(row?.count ?? -1);
}

const add = async (): Promise<void> => database.execute("INSERT INTO numbers VALUES (1)");

async function* endless(): AsyncGenerator<number> {
  for (;;) yield 1;
}

/** Bytes, as a text, that the engine frees before it returns memory to the system. */
async function kept(): Promise<string> {
  const [row] = await database.rows<{ value: string }>(
    "SELECT current_setting('allocator_bulk_deallocation_flush_threshold') AS value",
  );
  return row?.value ?? "";
}

async function large(work: () => AsyncIterable<string>): Promise<string[]> {
  return Array.fromAsync(database.snapshot(work, { inBulk: true }));
}

describe("a snapshot", () => {
  it("shows the state of its beginning in each of its views, despite later commits", async () => {
    await add();
    const counts = database.snapshot(
      async function* (views) {
        for (const view of views) yield await countThrough(view);
        await add();
        for (const view of views) yield await countThrough(view);
      },
      { views: 3 },
    );
    expect(await Array.fromAsync(counts)).toStrictEqual([1, 1, 1, 1, 1, 1]);
    expect(
      await Array.fromAsync(
        database.snapshot(async function* ([view]) {
          yield await countThrough(view);
        }),
      ),
    ).toStrictEqual([2]);
  });

  it("has views of one state, or a single view, under continuous commits", async () => {
    const done = new AbortController();
    const writing = (async () => {
      while (!done.signal.aborted) await add();
    })();
    for (let round = 0; round < 50; round++) {
      const counts = database.snapshot(
        async function* (views) {
          yield await Promise.all(views.map(countThrough));
        },
        { views: 3 },
      );
      const [seen = []] = await Array.fromAsync(counts);
      expect([1, 3]).toContain(seen.length);
      expect(new Set(seen).size).toBe(1);
    }
    done.abort();
    await writing;
  });

  it("frees its connections when its reader ends early and when its function fails", async () => {
    for await (const _ of database.snapshot(endless, { views: 2, inBulk: true })) break;
    const failing = database.snapshot(
      // oxlint-disable-next-line require-yield
      async function* (): AsyncGenerator<number> {
        throw new Error("enough");
      },
      { views: 2, inBulk: true },
    );
    await expect(Array.fromAsync(failing)).rejects.toThrow("enough");
    expect(database.pool("read").active).toBe(0);
  });

  it("lets the engine keep freed memory while a large result is read, and not afterwards", async () => {
    const usual = await kept();
    const whileRead = await large(async function* () {
      yield await kept();
      yield* await large(async function* () {
        yield await kept();
      });
      yield await kept();
    });
    expect(new Set(whileRead).size).toBe(1);
    expect(whileRead[0]).not.toBe(usual);
    expect(await kept()).toBe(usual);
  });
});
