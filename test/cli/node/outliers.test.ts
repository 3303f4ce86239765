import { afterAll, beforeAll, expect, it } from "vitest";
import { outliers } from "#cli/node/outliers.ts";
import { astOrPql } from "#cli/sources/query-text.ts";
import type { JsonObject } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW } from "#test/fixture-store.ts";

let store: Store;

const resource = (type: string, title: string): JsonObject => ({
  type,
  title,
  exported: false,
  file: null,
  line: null,
  tags: [],
  parameters: {},
});

async function readRows(query: string): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  const plan = store.queries.plan({ of: "root", ...astOrPql(query) });
  for await (const batch of (await store.queries.run(plan)).rows) rows.push(...batch.texts().map(rowObject));
  return rows;
}

beforeAll(async () => {
  store = await Store.open({ clock: fixedClock(NOW) });
  const nodes = {
    "web-01": { role: "odd", disks: ["sda", "sdb"], ntp: "1.0", extra: ["File[/only/here]", "Class[Odd]"] },
    "web-02": { role: "web", disks: ["sda"], ntp: "1.1", extra: ["File[/everywhere/else]"] },
    "web-03": { role: "web", disks: ["sda"], ntp: "1.1", extra: ["File[/everywhere/else]", "File[/one/only]"] },
    "db-01": { role: "db", disks: [], ntp: "2.0", extra: [] },
  };
  for (const [name, { role, disks, ntp, extra }] of Object.entries(nodes)) {
    const values = { role, disks, hostname: name };
    const resources = ["Class[Ntp]", ...extra].map((text) => {
      const [, type = "", title = ""] = /^(\w+)\[(.*)\]$/.exec(text) ?? [];
      return resource(type, title);
    });
    await store.submit(a.facts(name, { values, package_inventory: [["ntp", ntp, "apt"]] }));
    await store.submit(a.catalog(name, { resources, edges: [] }));
  }
});

afterAll(async () => store.close());

it("names what a node has and none of its group, and where it differs from all of them", async () => {
  expect(await outliers("web-01", "web-*", readRows)).toStrictEqual([
    { kind: "fact", name: "disks[1]", node: "sdb", others: null },
    { kind: "fact", name: "role", node: "odd", others: "web" },
    { kind: "class", name: "Odd", node: "present", others: null },
    { kind: "resource", name: "File[/everywhere/else]", node: null, others: "present" },
    { kind: "resource", name: "File[/only/here]", node: "present", others: null },
    { kind: "package", name: "ntp", node: "1.0", others: "1.1" },
  ]);
});

it("says nothing of what differs within the group", async () => {
  const names = (await outliers("web-02", "*", readRows)).map(({ name }) => name);
  expect(names).toStrictEqual([]);
});

it("needs another node", async () => {
  await expect(outliers("db-01", "db-*", readRows)).rejects.toThrow('node: no other node matches "db-*"');
});
