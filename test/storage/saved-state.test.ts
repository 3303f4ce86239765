import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { days } from "#storage/time.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, populatedStore } from "#test/fixture-store.ts";

let store: Store;

beforeAll(async () => {
  store = await populatedStore();
  await store.save();
});

afterAll(() => store.close());

const questions = [
  "nodes[] {}",
  "facts[] {}",
  "fact_paths[] {}",
  "resources[] {}",
  "edges[] {}",
  "reports[] {}",
  "events[] {}",
  "environments[] {}",
  "packages[] {}",
  "package_inventory[] {}",
  'nodes[] { node_state = "inactive" }',
];

async function selected(pql: string): Promise<string[]> {
  const { rows } = await store.queries.run(store.queries.plan({ of: "root", pql }));
  const texts: string[] = [];
  for await (const batch of rows) texts.push(...batch.texts());
  return texts.sort();
}

async function everything(): Promise<Record<string, string[]>> {
  return Object.fromEntries(await Promise.all(questions.map(async (pql) => [pql, await selected(pql)] as const)));
}

const at = (minute: number): string => `2026-11-20T23:${minute}:00.000Z`;

const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
  ["a new node", () => store.submit(a.facts("fresh", { values: { new_fact: { deep: [1, 2] } } }))],
  ["a known node's facts", () => store.submit(a.facts("alpha", { producer_timestamp: at(30), values: { one: 1 } }))],
  ["a known node's catalog", () => store.submit(a.catalog("alpha", { producer_timestamp: at(31), version: "later" }))],
  ["a report", () => store.submit(a.report("alpha", { producer_timestamp: at(32), end_time: at(32) }))],
  ["a new environment", () => store.submit(a.facts("alpha", { environment: "elsewhere", producer_timestamp: at(33) }))],
  ["a deactivation", () => store.submit(a.deactivation("alpha", at(34)))],
  ["a deleted node", () => store.lifecycle.deleteNode("alpha")],
  ["a command without a waiting client", () => store.accept(a.facts("later"))],
];

describe("a saved state", () => {
  it.each(changes)("is restored after %s, and can be changed the same way again", async (_what, change) => {
    const before = await everything();
    await change();
    await store.accept(a.facts("marker"));
    await store.reset();
    expect(await everything()).toStrictEqual(before);

    await change();
    await store.submit(a.facts("marker"));
    expect(await everything()).not.toStrictEqual(before);
    await store.reset();
    expect(await everything()).toStrictEqual(before);
  });

  it("is restored for new readers at once, while a running query continues", async () => {
    const before = await selected("facts[] {}");
    const values: JsonObject = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`fact_${n}`, n]));
    await store.submit(a.facts("many", { values }));
    const begun = await store.queries.run(store.queries.plan({ of: "root", pql: "facts[] {}" }));
    const rows = begun.rows[Symbol.asyncIterator]();
    const first = await rows.next();
    await store.reset();
    expect(await selected("facts[] {}")).toStrictEqual(before);
    let count = first.done === true ? 0 : first.value.texts().length;
    for await (const batch of { [Symbol.asyncIterator]: () => rows }) count += batch.texts().length;
    expect(count).toBe(before.length + 5000);
  });

  it("is the state of the store when it was last saved", async () => {
    await using other = Object.assign(await emptyStore({ retention: { nodeTtl: days(1) } }), {
      [Symbol.asyncDispose]: () => other.close(),
    });
    await expect(other.reset()).rejects.toThrow("no state was saved");
    await other.save();
    await other.submit(a.facts("first"));
    await other.save();
    await other.submit(a.facts("second"));
    await other.reset();
    expect(await other.queries.exists("node", "first")).toBe(true);
    expect(await other.queries.exists("node", "second")).toBe(false);
  });
});
