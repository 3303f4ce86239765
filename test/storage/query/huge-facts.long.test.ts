import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportMembers } from "#storage/archive/export/members.ts";
import { type JsonObject, parseJson } from "#storage/json.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW, rowsOf } from "#test/fixture-store.ts";

/** The engine unpacks all of them at a time, which takes more than it usually may have. */
const NODES = 24;
const names = Array.from({ length: NODES }, (_, index) => `node-${index}`);
const LENGTH = 6_000_000;

function valuesOf(name: string): JsonObject {
  return { huge: name.padEnd(LENGTH, "-huge"), kernel: "Linux", long: { list: ["x".repeat(100), name] } };
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: Store;

beforeAll(async () => {
  folder = await temporaryFolder();
  limitMemory(4_000_000_000);
  store = await Store.open({ clock: fixedClock(NOW), directory: folder.path });
  for (const name of names) {
    await store.submit(a.facts(name, { values: valuesOf(name) }));
    await store.submit(
      a.inputs(name, {
        inputs: [
          ["hiera", "short"],
          ["hiera", name.padEnd(LENGTH, "-input")],
        ],
      }),
    );
  }
  await store.rest({ isLong: false });
});

afterAll(async () => {
  await store.close();
  limitMemory(undefined);
  await folder[Symbol.asyncDispose]();
});

describe("huge facts of many nodes", () => {
  it.each(["facts", "factsets", "inventory"])("are returned as %s", async (entity) => {
    const rows = await rowsOf(store, entity, entity === "facts" ? ["=", "name", "huge"] : undefined);
    const found = new Map(rows.map((row) => [row["certname"], JSON.stringify(row).length > LENGTH]));
    expect(found).toEqual(new Map(names.map((name) => [name, true])));
    expect(rows).toHaveLength(NODES);
  });

  it("are found by their node", async () => {
    const [row] = await rowsOf(store, "facts", ["and", ["=", "certname", "node-7"], ["=", "name", "huge"]]);
    expect(row?.["value"]).toHaveLength(LENGTH);
  });

  it("are exported with short facts, as are huge inputs of catalogs", async () => {
    const bodies = new Map<string, string>();
    for await (const { name, body } of exportMembers(store, { directory: "svc-bak" }))
      bodies.set(name, body.toString());
    for (const name of names) {
      const facts = parseJson(bodies.get(`svc-bak/facts/${name}.json`) ?? "null");
      // A difference between texts of megabytes could not be printed.
      expect(isDeepStrictEqual((facts as JsonObject)["values"], valuesOf(name))).toBe(true);
    }
    const inputs = [...bodies].filter(([name]) => name.startsWith("svc-bak/catalog_inputs/"));
    expect(inputs).toHaveLength(NODES);
    for (const [, body] of inputs) {
      const { certname, inputs: pairs } = parseJson(body) as { certname: string; inputs: [string, string][] };
      expect(pairs).toHaveLength(2);
      for (const name of ["short", certname.padEnd(LENGTH, "-input")])
        expect(pairs.some((pair) => pair[0] === "hiera" && pair[1] === name)).toBe(true);
    }
  });
});
