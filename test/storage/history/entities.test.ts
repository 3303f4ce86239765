import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, emptyStore, NOW, rowsOf } from "#test/fixture-store.ts";
import { queriedTexts } from "#test/storage/history/queried.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { kinds, randomDocuments, submissionOf } from "./fixture-history.ts";

let store: Store;

beforeAll(async () => {
  store = await emptyStore();
  for (const document of randomDocuments(4, 120)) await store.submit(submissionOf(document));
});
afterAll(() => store.close());

/** A row as text, with its members in order. */
function settled(value: Json): string {
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${settled(member)}`);
  return `{${members.sort().join(",")}}`;
}

describe.each(kinds)("%s", (kind) => {
  it("has the same rows in PQL, AST and SQL", async () => {
    const pql = (await queriedTexts(store, `${kind} {}`)).map((text) => settled(parseJson(text))).sort();
    expect(pql.length).toBeGreaterThan(5);
    expect((await rowsOf(store, kind)).map(settled).sort()).toEqual(pql);
    const sql = await store.sql();
    const rows: string[] = [];
    for await (const batch of await sql.run(`SELECT * FROM ${kind}`)) rows.push(...batch);
    sql.close();
    expect(rows.map((text) => settled(parseJson(text))).sort()).toEqual(pql);
  });

  it("is found by what changed, with the time of the next change and without", async () => {
    const all = (await rowsOf(store, kind)) as { certname: string; what: string; from: string; until: string | null }[];
    for (const wanted of new Set(all.map(({ what }) => what))) {
      for (const more of ["", ", until"]) {
        const fields = `certname, what, from${more}`;
        const found = await queriedTexts(store, `${kind}[${fields}] { what = ${pqlString(wanted)} or what = "other" }`);
        const expected = all
          .filter(({ what }) => what === wanted)
          .map(({ certname, what, from, until }) => ({ certname, what, from, ...(more === "" ? {} : { until }) }));
        const texts = expected.map((row) => settled(row)).sort();
        expect(found.map((text) => settled(parseJson(text))).sort()).toEqual(texts);
      }
    }
  });

  it("can be filtered, ordered, grouped, and related to nodes", async () => {
    const all = await rowsOf(store, kind);
    const times = all.map(({ from }) => from as string).sort();
    const middle = times[Math.floor(times.length / 2)] ?? "";
    const after = await queriedTexts(store, `${kind}[certname, what, from] { from > "${middle}" order by from }`);
    expect(after.map((text) => (parseJson(text) as { from: string }).from)).toEqual(
      times.filter((time) => time > middle),
    );
    const grouped = await queriedTexts(store, `${kind}[what, count()] { nodes { certname = "alpha" } group by what }`);
    const counted = grouped.map((text) => (parseJson(text) as { count: number }).count).reduce((sum, n) => sum + n, 0);
    expect(counted).toBe(all.filter(({ certname }) => certname === "alpha").length);
    const nodes = await queriedTexts(store, `nodes[certname] { ${kind} { until is null } order by certname }`);
    expect(nodes).toEqual(["alpha", "beta", "gamma"].map((certname) => `{"certname":"${certname}"}`));
  });
});

async function rowsOfNode(from: Store, certname: string): Promise<string[][]> {
  return Promise.all(
    kinds.map(async (kind) => (await queriedTexts(from, `${kind} { certname = "${certname}" }`)).sort()),
  );
}

it("finds the changes of a node whose name is not in memory, as after a start", async () => {
  await using folder = await temporaryFolder();
  const options = { directory: folder.path, clock: fixedClock(NOW) };
  const first = await Store.open(options);
  for (const document of randomDocuments(4, 60)) await first.submit(submissionOf(document));
  const expected = await rowsOfNode(first, "alpha");
  await first.close();
  const second = await Store.open(options);
  expect(await rowsOfNode(second, "alpha")).toEqual(expected);
  expect(expected.flat().length).toBeGreaterThan(20);
  expect((await rowsOfNode(second, "omega")).flat()).toEqual([]);
  const plan = second.queries.plan({ of: "root", pql: 'fact_changes { certname = "alpha" }' });
  expect(plan.unknownNodes?.certnames).toEqual(["alpha"]);
  await second.close();
});

it("finds changes of facts by any name and path", async () => {
  const other = await emptyStore();
  const names = ["plain", "a.b", "with space", 'quo"te', "bäcker", "x[0]", "back\\slash", ""];
  const values = (value: string): JsonObject => Object.fromEntries(names.map((name) => [name, { [name]: [value] }]));
  for (const [minute, value] of ["1", "2"].entries()) {
    const at = `2026-11-20T10:0${minute}:00Z`;
    await other.submit(a.facts("web-01", { producer_timestamp: at, values: values(value) }));
  }
  for (const name of names) {
    const whats = [`${name}.${name}.0`];
    for (const condition of [`name = ${pqlString(name)}`, `what = ${pqlString(whats[0] ?? "")}`]) {
      const rows = await queriedTexts(other, `fact_changes[what] { ${condition} }`);
      expect({ condition, whats: rows.map((row) => (parseJson(row) as { what: string }).what) }).toEqual({
        condition,
        whats,
      });
    }
  }
  await other.close();
});

it("a change of facts has the transaction of the report that was being made", async () => {
  const other = await emptyStore();
  const times = { start_time: "2026-11-20T10:00:00Z", end_time: "2026-11-20T10:02:00Z" };
  await other.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T09:00:10Z", values: { kernel: "5" } }));
  await other.submit(a.facts("web-01", { producer_timestamp: "2026-11-20T10:00:10Z", values: { kernel: "6" } }));
  await other.submit(
    a.report("web-01", { producer_timestamp: "2026-11-20T10:02:01Z", ...times, transaction_uuid: payloads.UUID }),
  );
  expect(await rowsOf(other, "fact_changes")).toMatchObject([{ what: "kernel", transaction: payloads.UUID }]);
  await other.close();
});
