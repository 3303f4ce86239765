import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportMembers } from "#storage/archive/export/members.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW, rowsOf } from "#test/fixture-store.ts";

/** The engine unpacks all of them at a time, which takes more than it usually may have. */
const NODES = 24;
const names = Array.from({ length: NODES }, (_, index) => `node-${index}`);
const LENGTH = 6_000_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store;

beforeAll(async () => {
  folder = await temporaryFolder();
  limitMemory(4_000_000_000);
  store = await Store.open({ clock: fixedClock(NOW), directory: folder.path });
  for (const name of names) await store.submit(a.facts(name, { values: { huge: name.padEnd(LENGTH, "-huge") } }));
  await store.rest({ isLong: false });
});

afterAll(async () => {
  await store.close();
  limitMemory(undefined);
  await folder[Symbol.asyncDispose]();
});

describe("huge facts of many nodes", () => {
  it.each(["facts", "factsets", "inventory"])("are answered as %s", async (entity) => {
    const rows = await rowsOf(store, entity);
    const found = new Map(rows.map((row) => [row["certname"], JSON.stringify(row).length > LENGTH]));
    expect(found).toEqual(new Map(names.map((name) => [name, true])));
    expect(rows).toHaveLength(NODES);
  });

  it("are found by their node", async () => {
    const [row] = await rowsOf(store, "facts", ["=", "certname", "node-7"]);
    expect(row?.["value"]).toHaveLength(LENGTH);
  });

  it("are exported", async () => {
    const sizes = new Map<string, number>();
    for await (const { name, body } of exportMembers(store, { directory: "svc-bak" })) sizes.set(name, body.length);
    const factsets = [...sizes].filter(([name]) => name.startsWith("svc-bak/facts/"));
    expect(factsets).toHaveLength(NODES);
    expect(factsets.filter(([, size]) => size < LENGTH)).toEqual([]);
  });
});
