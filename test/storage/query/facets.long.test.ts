import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { type FacetFilter, type Facets, facetsOf, type FacetsSpec } from "#storage/query/facets/facets.ts";
import { stateKeys, silenceAt } from "#storage/states/node-state.ts";
import { CensusError } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { a, queryRows, emptyStore, populatedStore } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { facetsInTypeScript, valuesOf } from "./facets-in-typescript.ts";
import { generatedStore } from "./fixture-population.ts";

const silence = silenceAt(Date.parse("2026-11-20T11:30:00Z"), 0);

type Requested = Omit<FacetsSpec, "silence" | "filters" | "limit"> & Partial<FacetsSpec>;

let generated: Store;
let small: Store;

beforeAll(async () => {
  [generated, small] = await Promise.all([generatedStore(), populatedStore()]);
});

afterAll(() => Promise.all([generated.close(), small.close()]));

/** Facets as the engine counts them, which those that are counted of what is in memory equal. */
async function facets(store: Store, given: Requested): Promise<Facets> {
  const spec = { silence, filters: [], limit: 1000, ...given };
  const plan = store.queries.planFacets(spec);
  const texts: string[] = [];
  for await (const rows of (await store.queries.run(plan)).rows) texts.push(...rows.texts());
  const counted = facetsOf(texts);
  expect(await store.queries.facets(plan)).toEqual(counted);
  return counted;
}

async function rowsOf(store: Store, pql: string): Promise<JsonObject[]> {
  return (await queryRows(store, { of: "root", pql })).filter(isObject);
}

/** The rows of `nodes` with their facts, trusted facts, and some of the catalog. */
async function nodesWithFacts(store: Store): Promise<JsonObject[]> {
  const documents = await rowsOf(store, "inventory[certname, facts, trusted]{}");
  const factsOf = new Map(documents.map(({ certname, ...rest }) => [certname, rest]));
  const catalogs = await rowsOf(store, "catalogs[certname, producer, environment]{}");
  const catalogOf = new Map(catalogs.map(({ certname, ...rest }) => [certname, rest]));
  return (await rowsOf(store, "nodes{}")).map((row) => {
    const certname = row["certname"] ?? null;
    return { ...row, ...factsOf.get(certname), catalogs: catalogOf.get(certname) ?? {} };
  });
}

function isList(name: string): boolean {
  return ["tags", "containment_path"].includes(name);
}

/** What random facets are made of. */
interface Subject {
  readonly pql: string;
  readonly rows: (store: Store) => Promise<JsonObject[]>;
  readonly fields: readonly string[];
}

const plain = (pql: string, ...fields: string[]): Subject => ({ pql, rows: (store) => rowsOf(store, pql), fields });

const subjects: Readonly<Record<string, Subject>> = {
  nodes: {
    pql: "nodes{}",
    rows: nodesWithFacts,
    fields: [
      "state",
      "catalogs.producer",
      "catalogs.environment",
      "report_environment",
      "latest_report_status",
      "latest_report_noop",
      "cached_catalog_status",
      "report_timestamp",
      "facts.kernel",
      "facts.os.family",
      "facts.os.release.major",
      "facts.processors.count",
      "facts.is_virtual",
      "trusted.certname",
    ],
  },
  resources: plain(
    "resources{}",
    "type",
    "title",
    "tags",
    "file",
    "line",
    "exported",
    "environment",
    "parameters.ensure",
    "certname",
  ),
  classes: plain('resources{ type = "Class" }', "title", "environment", "tags", "certname"),
  reports: plain(
    "reports{}",
    "status",
    "environment",
    "noop",
    "noop_pending",
    "corrective_change",
    "cached_catalog_status",
    "producer",
    "puppet_version",
    "end_time",
    "certname",
  ),
  events: plain(
    "events{}",
    "status",
    "resource_type",
    "resource_title",
    "containing_class",
    "property",
    "new_value",
    "containment_path",
    "corrective_change",
    "certname",
  ),
  "facts by path": plain('fact_contents{ path = ["os", "release", "major"] }', "value", "environment", "certname"),
  leaves: plain('fact_contents{ name in ["os", "processors", "is_virtual"] }', "path", "value", "name", "certname"),
};

/** Characters whose lower case is the same for the engine and for JavaScript. */
const like = fc.option(fc.constantFrom("", "a", "e", "SS", "1", "-", "%", "_", "true", '"'), { nil: undefined });

describe.each(Object.entries(subjects))("facets of %s", (_, subject) => {
  it("equal the counts of the rows themselves, with any filters", async () => {
    const rows = await subject.rows(generated);
    expect(rows.length).toBeGreaterThan(20);
    const field = fc.constantFrom(...subject.fields);
    const fields = fc
      .uniqueArray(field, { minLength: 1, maxLength: 3 })
      .filter((names) => names.filter(isList).length < 2);
    const value = (name: string): fc.Arbitrary<Json> => {
      if (name === "state") return fc.constantFrom<Json>(...stateKeys);
      return fc.constantFrom(...rows).map((row) => valuesOf(row, name, silence)[0] ?? null);
    };
    const filter = field.chain((name) =>
      fc.record<FacetFilter>({ field: fc.constant(name), value: value(name), excludes: fc.boolean() }),
    );
    const other = fc.option(
      field.filter((name) => !isList(name)),
      { nil: undefined },
    );
    const random = fc.record({
      facets: fc.array(fields, { minLength: 1, maxLength: 3 }),
      filters: fc.array(filter, { maxLength: 4 }),
      limit: fc.integer({ min: 1, max: 12 }),
      like,
      per: other,
      distinct: other,
    });
    await fc.assert(
      fc.asyncProperty(random, async ({ like: text, per, distinct, ...rest }) => {
        const options = {
          ...rest,
          silence,
          ...(text === undefined ? {} : { like: text }),
          ...(per === undefined ? {} : { per }),
          ...(distinct === undefined ? {} : { distinct }),
        };
        const counted = await facets(generated, { pql: subject.pql, ...options });
        expect(comparable(counted)).toEqual(comparable(facetsInTypeScript({ rows, ...options })));
      }),
      { numRuns: byLength({ short: 15, long: 200 }) },
    );
  });
});

describe("facets of texts of events that count something distinct", () => {
  it.each(["events{}", 'events{ status = "success" }', 'events{ status = "nonsense" }'])(
    "equal the counts of the rows themselves: %s",
    async (pql) => {
      const rows = await rowsOf(generated, pql);
      const other = fc.constantFrom("certname", "containing_class", "corrective_change", "resource_title");
      const random = fc.record({
        fields: fc.subarray(["status", "resource_type", "resource_title"], { minLength: 1 }),
        limit: fc.integer({ min: 1, max: 12 }),
        per: fc.option(other, { nil: undefined }),
        distinct: fc.option(other, { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(random, async ({ fields, per, distinct, ...rest }) => {
          const options = {
            facets: [fields],
            filters: [],
            silence,
            ...rest,
            ...(per === undefined ? {} : { per }),
            ...(distinct === undefined ? {} : { distinct }),
          };
          const counted = await facets(generated, { pql, ...options });
          expect(comparable(counted)).toEqual(comparable(facetsInTypeScript({ rows, ...options })));
        }),
        { numRuns: byLength({ short: 10, long: 150 }) },
      );
    },
  );
});

/** Exact numbers as JSON texts, which are compared by their digits. */
function comparable(counted: Facets): unknown {
  return JSON.parse(stringifyJson(counted as unknown as Json));
}

describe("facets of texts of megabytes", () => {
  const LENGTH = 2_000_000;
  let store: Store;
  beforeAll(async () => {
    store = await emptyStore();
    for (const [name, end] of Object.entries({ a: "Left", b: "left", c: "left", d: "right" }))
      await store.submit(a.facts(name, { values: { long: `begin ${"x".repeat(LENGTH)} ${end}`, short: "begin" } }));
  });
  afterAll(() => store.close());

  it.each([
    ["facts{}", "value"],
    ["fact_contents{}", "value"],
    ["nodes{}", "facts.long"],
  ])("are distinguished without being listed: %s by %s", async (pql, field) => {
    const isBoth = field === "value";
    const counted = async (text?: string): Promise<unknown> => {
      const { facets: found } = await facets(store, {
        pql,
        facets: [[field]],
        ...(text === undefined ? {} : { like: text }),
      });
      return found.map(({ distinct, others, values }) => ({ distinct, others, values }));
    };
    const short = isBoth ? [{ value: "begin", count: 4 }] : [];
    expect(await counted()).toEqual([{ distinct: isBoth ? 4 : 3, others: 4, values: short }]);
    expect(await counted("BEGIN")).toEqual([{ distinct: isBoth ? 4 : 3, others: 4, values: short }]);
    // What is behind the part that is grouped is found as well.
    expect(await counted("x LEFT")).toEqual([{ distinct: 2, others: 3, values: [] }]);
    expect(await counted("x Right")).toEqual([{ distinct: 1, others: 1, values: [] }]);
    expect(await counted("x none")).toEqual([{ distinct: 0, others: 0, values: [] }]);
  });
});

describe("facets", () => {
  it("count nodes by state, every node once, and active ones alone", async () => {
    const { total, facets: counted } = await facets(small, { pql: "nodes{}", facets: [["state"]] });
    expect(total).toBe(4);
    expect(counted[0]?.values).toEqual([
      { value: "silent", count: 2 },
      { value: "hidden", count: 1 },
      { value: "never", count: 1 },
    ]);
    const everyNode = await facets(small, { pql: 'nodes{ node_state = "any" }', facets: [["state"]] });
    expect(everyNode.total).toBe(6);
  });

  it.each(["50%", "_", "\\", "'", '"here"', "DROP"])("find a value by any part of its text: %s", async (text) => {
    const request = { pql: "resources{}", facets: [["parameters.message"]], like: text };
    const isIn = "50% off; DROP TABLE nodes; --".includes(text);
    expect((await facets(small, request)).facets[0]?.distinct).toBe(isIn ? 1 : 0);
  });

  it.each<[string, Partial<Requested>, RegExp]>([
    [
      "a field that there is not",
      { facets: [["nope"]] },
      /^'nope' is not a queryable object for nodes\. Known queryable objects are 'cached_catalog_status'.*'state'/,
    ],
    [
      "a filter of such",
      { filters: [{ field: "nope", value: 1, excludes: false }] },
      /'nope' is not a queryable object/,
    ],
    [
      "a state that there is not",
      { filters: [{ field: "state", value: "broken", excludes: false }] },
      /"broken" is not a state; use one of never, silent/,
    ],
    [
      "a value of another type",
      { filters: [{ field: "latest_report_noop", value: "x", excludes: true }] },
      /latest_report_noop/,
    ],
    ["match() in a path", { facets: [['facts.match("a")']] }, /names no single part/],
    ["a document", { pql: "inventory{}", facets: [["facts"]] }, /'facts' is a document: name a part of it/],
    ["records of another entity", { pql: "reports{}", facets: [["logs"]] }, /'logs' contains records/],
    ["a field twice", { facets: [["state", "state"]] }, /has a field twice/],
    ["two lists", { pql: "resources{}", facets: [["tags", "tag"]] }, /more than one list/],
    ["counting by a list", { pql: "resources{}", facets: [["type"]], per: "tags" }, /is a list/],
    ["a projection", { pql: "nodes[certname]{}" }, /here a query is an entity and its conditions/],
    ["groups", { pql: "nodes[report_environment, count()]{ group by report_environment }" }, /here a query is/],
    ["a page", { pql: "nodes{ limit 3 }" }, /here a query is/],
    ["a query that is none", { pql: "nodes{ certname = }" }, /PQL parse error/],
    ["an unknown field in the query", { pql: 'nodes{ name = "a" }' }, /'name' is not a queryable object for nodes/],
  ])("refuse %s", async (_, spec, message) => {
    const request = { pql: "nodes{}", facets: [["state"]], ...spec };
    await expect(facets(small, request)).rejects.toSatisfy(
      (error) => error instanceof CensusError && error.code === "bad-input",
    );
    await expect(facets(small, request)).rejects.toThrow(message);
  });

  it("count nothing where filters exclude each other", async () => {
    const filters: FacetFilter[] = [
      { field: "state", value: "silent", excludes: false },
      { field: "state", value: "silent", excludes: true },
    ];
    for (const facet of ["state", "report_environment"]) {
      expect((await facets(small, { pql: "nodes{}", facets: [[facet]], filters })).total).toBe(0);
    }
  });

  it("leave out their own filters, and no others", async () => {
    const filters: FacetFilter[] = [{ field: "status", value: "failed", excludes: false }];
    const counted = await facets(small, { pql: "reports{}", facets: [["status"], ["environment"]], filters });
    expect(counted.total).toBe(1);
    expect(counted.facets[0]?.values).toHaveLength(3);
    expect(counted.facets[1]?.values).toEqual([{ value: "staging", count: 1 }]);
  });
});
