import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isObject, type JsonObject, stringifyJson } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { type Difference, type Differences, traitKinds } from "#storage/traits/trait.ts";
import type { TraitsSpec } from "#storage/traits/traits.ts";
import { command, emptyStore, queryRows, submitted } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { generatedStore } from "../query/fixture-population.ts";
import { differencesInTypeScript, nodeOf, type PlainDifference, type PlainRows } from "./differences-in-typescript.ts";

let store: Store;
let rows: PlainRows;
let certnames: readonly string[];

async function rowsOf(pql: string): Promise<JsonObject[]> {
  return (await queryRows(store, { of: "root", pql })).filter(isObject);
}

beforeAll(async () => {
  store = await generatedStore({ nodes: 60 });
  rows = {
    nodes: await rowsOf("nodes{}"),
    catalogs: await rowsOf("catalogs[certname, producer]{}"),
    factsets: await rowsOf("factsets[certname, producer]{}"),
    facts: await rowsOf("fact_contents[certname, path, value]{}"),
    classes: await rowsOf('resources[certname, title]{ type = "Class" }'),
    packages: await rowsOf("package_inventory{}"),
  };
  certnames = rows.nodes.map(nodeOf);
});

afterAll(() => store.close());

function named(names: readonly string[]): TraitsSpec["selection"] {
  return { query: ["from", "nodes", ["in", "certname", ["array", [...names]]]] };
}

async function differences(
  selected: readonly string[],
  { baseline = { pql: "nodes{}" }, ...more }: Partial<TraitsSpec> = {},
): Promise<Differences> {
  return store.traits.differences({
    selection: named(selected),
    baseline,
    kinds: traitKinds,
    limit: 100_000,
    ...more,
  });
}

function plain({ kind, path, value, selected, rest }: Difference): PlainDifference {
  const trait = `${JSON.stringify({ kind, path })} ${value === undefined ? "none" : stringifyJson(value)}`;
  return { trait, selected, rest };
}

function sorted(all: readonly PlainDifference[]): PlainDifference[] {
  return all.toSorted((one, other) => (one.trait < other.trait ? -1 : 1));
}

describe("what sets nodes apart", () => {
  it("is what plain queries and TypeScript find, for any selection and baseline", async () => {
    // That there is something of each kind to be found.
    expect(Object.values(rows).every((found: readonly JsonObject[]) => found.length > 0)).toBe(true);
    const found = new Set<string>();
    const kinds = ["report_environment", "latest_report_status"] as const;
    const selections = fc.oneof(
      fc.subarray([...certnames], { minLength: 1 }),
      fc.subarray([...certnames], { minLength: 1, maxLength: 3 }),
      // Nodes that have something in common.
      fc
        .constantFrom(...kinds)
        .chain((field) =>
          fc
            .constantFrom(...new Set(rows.nodes.map((row) => row[field])))
            .map((value) => rows.nodes.filter((row) => row[field] === value).map(nodeOf)),
        ),
      fc
        .constantFrom(...rows.facts, ...rows.classes, ...rows.packages)
        .map((one) =>
          [...rows.facts, ...rows.classes, ...rows.packages]
            .filter((row) =>
              Object.keys(one).every(
                (key) => key === "certname" || stringifyJson(row[key] ?? null) === stringifyJson(one[key] ?? null),
              ),
            )
            .map(nodeOf),
        ),
    );
    await fc.assert(
      fc.asyncProperty(selections, fc.option(fc.subarray([...certnames])), async (selected, baseline) => {
        const all = new Set(baseline ?? certnames);
        const answer = await differences(selected, baseline === null ? {} : { baseline: named(baseline) });
        const chosen = new Set(selected);
        expect(answer).toMatchObject({
          selected: chosen.size,
          rest: [...all].filter((name) => !chosen.has(name)).length,
        });
        expect(sorted(answer.differences.map(plain))).toStrictEqual(sorted(differencesInTypeScript(rows, chosen, all)));
        expect(answer.total).toBe(answer.differences.length);
        for (const { kind } of answer.differences) found.add(kind);
      }),
      { numRuns: byLength({ short: 60, long: 200 }) },
    );
    expect(found).toStrictEqual(new Set(traitKinds));
  });

  it("has the greatest first, a score that is the difference of the shares, and at most as many as are wanted", async () => {
    const selected = rows.nodes.filter((row) => row["report_environment"] === "staging").map(nodeOf);
    const all = await differences(selected);
    const [first] = all.differences;
    expect(first).toMatchObject({ kind: "environment", path: [], value: "staging", selected: selected.length });
    const scores = all.differences.map(({ score }) => Math.abs(score));
    expect(scores).toStrictEqual(scores.toSorted((one, other) => other - one));
    for (const { selected: own, rest, score } of all.differences) {
      expect(score).toBeCloseTo(own / all.selected - rest / all.rest, 12);
    }
    const few = await differences(selected, { limit: 3, kinds: ["fact"] });
    const facts = all.differences.filter(({ kind }) => kind === "fact");
    expect(few).toMatchObject({ total: facts.length, differences: facts.slice(0, 3) });
  });

  it("is nothing of no nodes, of all nodes, and of nodes that are all alike", async () => {
    expect(await differences([])).toMatchObject({ selected: 0, total: 0, differences: [] });
    expect(await differences(certnames)).toMatchObject({ rest: 0, total: 0, differences: [] });
  });

  it("leaves out facts of which nine of ten nodes have their own value, of any type", async () => {
    const own = await emptyStore();
    onTestFinished(() => own.close());
    const all = Array.from({ length: 10 }, (_, index) => `node-${index}`);
    await submitted(
      own,
      ...all.map((certname, index) => {
        const shared = (count: number): string => (index < count ? "same" : certname);
        const values = { two: shared(2), three: shared(3), mixed: index < 6 ? index : certname };
        return command("replace facts", {
          certname,
          environment: "production",
          producer_timestamp: "2026-11-20T12:00:00Z",
          producer: "puppet.example.com",
          values,
        });
      }),
    );
    const found = await own.traits.differences({
      selection: named(all.slice(0, 2)),
      baseline: { pql: "nodes{}" },
      kinds: ["fact"],
      limit: 10,
    });
    expect(found.differences).toEqual([
      { kind: "fact", path: ["three"], value: "same", selected: 2, rest: 1, score: 0.875 },
    ]);
    const one = await own.traits.differences({
      selection: named(all.slice(0, 1)),
      baseline: { pql: "nodes{}" },
      kinds: ["fact"],
      limit: 10,
    });
    expect(one.differences.map(({ path }) => path)).toEqual([["three"]]);
  });
});
