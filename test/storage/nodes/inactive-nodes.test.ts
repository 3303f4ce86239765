import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { QuerySpec } from "#storage/query/query.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, emptyStore, NOW, submitted } from "#test/fixture-store.ts";

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

/** The number of active nodes with the fact, queried until the store knows the inactive nodes. */
async function active(of = store): Promise<number> {
  let answer: string[] = [];
  for (let time = 0; time < 3; time++) answer = await texts(of, of.queries.plan(count));
  return (JSON.parse(answer[0] ?? "{}") as { count: number }).count;
}

async function texts(of: Store, plan: ReturnType<Store["queries"]["plan"]>): Promise<string[]> {
  const found: string[] = [];
  for await (const rows of (await of.queries.run(plan)).rows) found.push(...rows.texts());
  return found;
}

function joinsNodes(of = store): boolean {
  return of.queries.plan(count).rows.sql.includes("JOIN nodes");
}

describe("rows of active nodes", () => {
  it("are found without a join once the inactive nodes are known", async () => {
    await run(10, "one", "two", "three");
    expect(joinsNodes()).toBe(false);
    expect(await active()).toBe(3);
    await submitted(store, a.deactivation("two", at(11)));
    expect(joinsNodes()).toBe(false);
    expect(await active()).toBe(2);
    // Its id is greater than any that was inactive.
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

  it("are found by a new plan if a node's state changes between planning and running", async () => {
    await run(10, "one", "two", "three");
    const plan = store.queries.plan(count);
    expect(plan.replan?.()).toBeUndefined();
    await submitted(store, a.deactivation("two", at(11)));
    expect(plan.replan?.()?.rows.sql).toContain("JOIN nodes");
    expect(await texts(store, plan)).toEqual(['{"count":2}']);
  });

  it("are found by the same plan while no node's state changes", async () => {
    await run(10, "one", "two");
    const plan = store.queries.plan(count);
    await run(11, "one", "three");
    expect(plan.replan?.()).toBeUndefined();
    expect(await texts(store, plan)).toEqual(['{"count":3}']);
  });
});

describe("a store that is opened for reading", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "census-activity-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it("reads in the background which nodes are inactive", async () => {
    const clock = fixedClock(NOW);
    const written = await Store.open({ directory, clock });
    await submitted(written, a.facts("one", { values: { clock: 1 } }), a.facts("two", { values: { clock: 1 } }));
    await submitted(written, a.deactivation("one", "2026-11-20T23:00:00Z"));
    await written.close();
    const opened = await Store.open({ directory, clock, readOnly: true });
    try {
      expect(joinsNodes(opened)).toBe(true);
      expect(await active(opened)).toBe(1);
      await expect.poll(() => joinsNodes(opened)).toBe(false);
      expect(await active(opened)).toBe(1);
    } finally {
      await opened.close();
    }
  });
});
