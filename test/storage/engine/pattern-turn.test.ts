import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { inPatternTurn } from "#storage/engine/pattern-run.ts";

describe("batches of rows with patterns", () => {
  let database: Database;
  beforeAll(async () => {
    database = await Database.open({ threads: 2 });
  });
  afterAll(() => database.close());

  it("are read one after another, in order", async () => {
    const events: string[] = [];
    const work = async (name: string): Promise<void> =>
      inPatternTurn(async () => {
        events.push(`${name} begins`);
        await delay(20);
        events.push(`${name} ends`);
      });
    await Promise.all(["first", "second", "third"].map(work));
    expect(events).toEqual(["first", "second", "third"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("do not wait for long for one that takes long, nor after one that failed", async () => {
    const held = Promise.withResolvers<void>();
    const holding = inPatternTurn(async () => held.promise);
    const began = performance.now();
    await expect(inPatternTurn(async () => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
    expect(performance.now() - began).toBeGreaterThan(400);
    const next = inPatternTurn(async () => "a turn");
    expect(await Promise.race([next, delay(0, "a wait")])).toBe("a turn");
    held.resolve();
    await holding;
  });

  it("do not wait for who uses a batch of another statement", async () => {
    const statement = {
      sql: "SELECT repeat('a', 100) || i FROM range(100000) t(i) WHERE census_regexp('a' || i, $1)",
      values: [{ regexp: /^(?=a)/ }],
    };
    const rows = database.stream(statement);
    expect((await rows.next()).done).toBe(false);
    const turn = inPatternTurn(async () => "a turn");
    expect(await Promise.race([turn, delay(450, "the longest wait")])).toBe("a turn");
    await rows.return(undefined);
  });
});
