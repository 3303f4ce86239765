import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, submitted } from "#test/fixture-store.ts";

const count: QuerySpec = { of: "root", pql: "facts[count()]{ name = 'clock' }" };

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
});
afterEach(() => store.close());

const at = (hour: number): string => `2026-11-20T${String(hour).padStart(2, "0")}:00:00Z`;

async function run(hour: number, ...certnames: string[]): Promise<void> {
  const facts = certnames.map((name) => a.facts(name, { producer_timestamp: at(hour), values: { clock: hour } }));
  await submitted(store, ...facts);
}

/** The number of active nodes with the fact. */
async function active(): Promise<number> {
  const [answer = "{}"] = await texts(store, store.queries.plan(count));
  return (JSON.parse(answer) as { count: number }).count;
}

async function texts(of: Store, plan: ReturnType<Store["queries"]["plan"]>): Promise<string[]> {
  const found: string[] = [];
  for await (const rows of (await of.queries.run(plan)).rows) found.push(...rows.texts());
  return found;
}

describe("rows of active nodes", () => {
  it("follow the state of their nodes", async () => {
    await run(10, "one", "two", "three");
    expect(await active()).toBe(3);
    await submitted(store, a.deactivation("two", at(11)));
    expect(await active()).toBe(2);
    await run(11, "four");
    expect(await active()).toBe(3);
    await submitted(store, a.deactivation("four", at(12)), a.deactivation("one", at(12)));
    expect(await active()).toBe(1);
    await run(13, "two");
    expect(await active()).toBe(2);
  });

  it("are right after maintenance", async () => {
    await run(10, "one", "two", "three");
    await submitted(store, a.deactivation("three", "2026-11-01T00:00:00Z"), a.deactivation("two", at(11)));
    // The first is stale: newer facts are there.
    expect(await active()).toBe(2);
    await store.lifecycle.deleteNode("two");
    expect(await active()).toBe(2);
    await store.lifecycle.deleteNode("one");
    expect(await active()).toBe(1);
    await run(14, "one", "two");
    expect(await active()).toBe(3);
  });

  it("are right after a failed transaction", async () => {
    await run(10, "one", "two");
    await submitted(store, a.deactivation("two", at(11)));
    const broken = (async function* () {
      yield a.deactivation("one", at(12));
      await Promise.resolve();
      throw new Error("no more");
    })();
    await expect(store.importAll(broken)).rejects.toThrow("no more");
    expect(await active()).toBe(1);
  });

  it("are those of its run if a node's state changes between planning and running", async () => {
    await run(10, "one", "two", "three");
    const plan = store.queries.plan(count);
    await submitted(store, a.deactivation("two", at(11)));
    expect(await texts(store, plan)).toEqual(['{"count":2}']);
  });
});
