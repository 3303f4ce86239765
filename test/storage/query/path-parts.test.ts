import { silenceAt } from "#storage/states/node-state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#storage/json.ts";
import { facetsOf } from "#storage/query/facets/facets.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, queryRows } from "#test/fixture-store.ts";

/** Names that paths of engines give a meaning to. A part of a dotted path is a key with exactly this name. */
const names = [
  ..."* ** $ # ? @ ' / ~ % _ { } ] é".split(" "),
  ..."[0] [*] a* *a $.* ?(@) #-1 -1 0 01 x[0]y ~0 ~1 a/b a\\b \\* {a,b} null /* /-".split(" "),
  "a.b",
  'a"b',
  "a b",
  "\u0001",
];

const unknown = "nothing has this name";

/** A document in which a wildcard would find several values, or another one. */
function documentOf(name: string): JsonObject {
  return { [name]: { [name]: `value of ${name}`, list: [{ [name]: "in a list" }, 5], n: 7 }, other: { other: "b" } };
}

let store: Store;

beforeAll(async () => {
  store = await emptyStore();
  const documents = Object.fromEntries(names.map((name, index) => [`d${index}`, documentOf(name)]));
  const top = Object.fromEntries(names.map((name) => [name, `top ${name}`]));
  await store.submit(a.facts("odd", { values: { ...top, ...documents, trusted: documents } }));
  const resource = {
    type: "File",
    title: "/odd",
    exported: false,
    tags: ["file"],
    parameters: { ...top, ...documents },
  };
  await store.submit(a.catalog("odd", { resources: [resource], edges: [] }));
});
afterAll(() => store.close());

/** Where documents are: the entity, what its paths begin with, and a field that every row has. */
const places = [
  ["inventory", "facts", "certname"],
  ["inventory", "trusted", "certname"],
  ["resources", "parameters", "title"],
] as const;

describe.each(places)("a path in %s below %s", (entity, root, key) => {
  const rows = (query: Json): Promise<Json[]> => queryRows(store, { of: "root", query: ["from", entity, query] });
  const valueOf = async (path: string): Promise<Json | undefined> => {
    const [row] = (await rows(["extract", [path]])) as JsonObject[];
    return row?.[path];
  };
  const isFound = async (condition: Json): Promise<boolean> => (await rows(["extract", key, condition])).length > 0;

  it.each(names.map((name, index) => [name, index] as const))("takes %j as a key", async (name, index) => {
    const part = `"${name}"`;
    const document = `${root}.d${index}`;
    const found = `${document}.${part}.${part}`;
    expect(await valueOf(found)).toBe(`value of ${name}`);
    expect(await valueOf(`${document}.${part}`)).toEqual(documentOf(name)[name]);
    expect(await valueOf(`${document}.other.${part}`)).toBe(null);
    expect(await valueOf(`${document}.${part}.list.0.${part}`)).toBe(null);

    expect(await isFound(["=", found, `value of ${name}`])).toBe(true);
    expect(await isFound(["=", found, "b"])).toBe(false);
    expect(await isFound(["~", found, "^value of"])).toBe(true);
    expect(await isFound([">", `${document}.${part}.n`, 6])).toBe(true);
    expect(await isFound(["=", `${document}.${part}.list[0].${part}`, "in a list"])).toBe(true);
    expect(await isFound(["=", `${document}.${part}.list.0.${part}`, "in a list"])).toBe(true);
    expect(await isFound(["=", `${document}.${part}.list[1]`, 5])).toBe(true);
    expect(await isFound(["null?", found, false])).toBe(true);
    expect(await isFound(["null?", `${document}.other.${part}`, false])).toBe(false);
    expect(await isFound(["not", ["null?", `${document}.other.${part}`, false]])).toBe(false);
  });

  it.each(root === "trusted" ? [] : names)("takes %j as the first key", async (name) => {
    const path = `${root}."${name}"`;
    expect(await valueOf(path)).toBe(`top ${name}`);
    expect(await isFound(["=", path, `top ${name}`])).toBe(true);
    expect(await isFound(["=", path, unknown])).toBe(false);
  });
});

it.each(names.map((name, index) => [name, index] as const))("counts values of %j", async (name, index) => {
  for (const [entity, root] of [
    ["nodes", "facts"],
    ["resources", "parameters"],
  ] as const) {
    const field = `${root}.d${index}."${name}"."${name}"`;
    const missing = `${root}.d${index}.other."${name}"`;
    const spec = {
      query: ["from", entity],
      facets: [[field], [missing]],
      filters: [],
      limit: 10,
      silence: silenceAt(0, 0),
    };
    const texts: string[] = [];
    for await (const part of (await store.queries.run(store.queries.planFacets(spec))).rows)
      texts.push(...part.texts());
    expect(facetsOf(texts).facets.map(({ values }) => values.map(({ value }) => value))).toEqual([
      [`value of ${name}`],
      [],
    ]);
  }
});

it("returns quotes in fact paths as they are, and two in place of an empty key", async () => {
  const values = { '"': { "": 1, '""': 2 }, ",": { "": { "": 3 } }, "[": 4 };
  await store.submit(a.facts("quotes", { values }));
  const query = ["extract", ["path"], ["in", "name", ["array", ['"', ",", "["]]]];
  const paths = (await queryRows(store, { of: "root", query: ["from", "fact_paths", query] })) as { path: Json }[];
  expect(paths.map(({ path }) => JSON.stringify(path)).sort()).toEqual(
    [['"', '""'], ['"', '""'], [",", '""', '""'], ["["]].map((path) => JSON.stringify(path)).sort(),
  );
});

it("takes an index for one of a list alone", async () => {
  await store.submit(a.facts("index", { values: { text: "a", number: 5, object: { "0": "b" }, list: ["a"] } }));
  const found = async (condition: Json): Promise<number> =>
    (await queryRows(store, { of: "root", query: ["from", "inventory", condition] })).length;
  expect(await found(["=", "facts.list[0]", "a"])).toBe(1);
  expect(await found(["=", "facts.text[0]", "a"])).toBe(0);
  expect(await found(["=", "facts.number[0]", 5])).toBe(0);
  expect(await found(["=", "facts.object[0]", "b"])).toBe(0);
});

it("keeps the spelling of a path in the name of its column", async () => {
  const query = ["from", "inventory", ["extract", ["facts.NOPE"], ["=", "certname", "odd"]]];
  expect(await queryRows(store, { of: "root", query })).toEqual([{ "facts.NOPE": null }]);
});

it("returns the facts of a node by name", async () => {
  const reversed = Object.fromEntries(names.toReversed().map((name, index) => [name, index]));
  await store.submit(a.facts("ordered", { values: reversed }));
  const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const [[factset], [inventory]] = (await Promise.all(
    ["factsets", "inventory"].map((entity) =>
      queryRows(store, { of: "root", query: ["from", entity, ["extract", "facts", ["=", "certname", "ordered"]]] }),
    ),
  )) as [{ facts: { data: { name: string }[] } }[], { facts: JsonObject }[]];
  expect(factset?.facts.data.map(({ name }) => name)).toEqual(sorted);
  // JavaScript puts digits first.
  expect(Object.keys(inventory?.facts ?? {}).filter((name) => name !== "0")).toEqual(
    sorted.filter((name) => name !== "0"),
  );
});
