import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { type PrecedingChange, precedingKinds } from "#storage/issues/preceding.ts";
import { precedingChanges } from "#storage/issues/preceding-changes.ts";
import { isObject, type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { NOW, queryRows, type TextSubmission } from "#test/fixture-store.ts";
import { randomCommands, type Timed } from "#test/storage/history/random-commands.ts";
import { byLength } from "#test/length.ts";

const MINUTE = 60_000;
const BEGIN = Date.parse("2026-11-20T00:00:00Z");
const COUNT = 120;

let database: Database;
let store: Store;
/** The numbers of nodes by name. */
const numbers = new Map<string, number>();
/** The recorded changes by node. */
const recorded = new Map<string, Recorded[]>();

interface Recorded {
  readonly key: string;
  readonly time: number;
}

/** The commands of a few nodes for other nodes. */
function renamed({ at, submission }: Timed, suffix: number): Timed {
  const { certname, payload } = submission;
  const own = `${certname}-${suffix}`;
  const changed: TextSubmission = {
    ...submission,
    certname: own,
    payload: payload.replaceAll(`"certname":"${certname}"`, `"certname":"${own}"`),
  };
  return { at, submission: changed };
}

beforeAll(async () => {
  database = await openDatabase({});
  store = await Store.over(database, { clock: fixedClock(NOW) });
  const commands = [1, 2, 3].flatMap((seed) => randomCommands(seed, COUNT).map((timed) => renamed(timed, seed)));
  for (const { submission } of commands.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
    await store.submit(submission);
  }
  const names = await rows('nodes[certname]{ node_state = "any" }');
  for (const { certname } of names) {
    const name = textOf(certname);
    const [number] = await store.queries.nodeNumbers({ pql: `nodes{ certname = "${name}" and node_state = "any" }` });
    if (number === undefined) throw new Error(`no number of ${name}`);
    numbers.set(name, number);
    recorded.set(name, []);
  }
  for (const [kind, entity] of Object.entries(entities)) {
    for (const row of await rows(`${entity} { node_state = "any" }`)) {
      const key = keyOf(kind, row);
      if (key !== undefined) {
        recorded.get(textOf(row["certname"]))?.push({ key, time: Date.parse(textOf(row["from"])) });
      }
    }
  }
});
afterAll(() => store.close());

const entities = {
  fact: "fact_changes",
  package: "package_changes",
  resource: "resource_changes",
  node: "catalog_changes",
} as const;

async function rows(pql: string): Promise<JsonObject[]> {
  return (await queryRows(store, { of: "root", pql })).filter(isObject);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What makes a change the same as one of another node; undefined: it is not compared. */
function keyOf(kind: string, row: JsonObject): string | undefined {
  const { what = null, change = null, before = null, after = null } = row;
  switch (kind) {
    case "fact":
      return stringifyJson([kind, what, change, after]);
    case "package":
      return stringifyJson([kind, what, row["provider"] ?? null, change, after]);
    case "resource":
      return stringifyJson([kind, row["type"] ?? null, row["title"] ?? null, change]);
    default:
      if (what === "edge" || what === "state") return undefined;
      if (what === "facts" || what === "catalog") {
        return before === null ? stringifyJson([kind, what, change, null]) : undefined;
      }
      return stringifyJson([kind, what, change, after]);
  }
}

/** The same of a change that was found. */
function foundKey({ kind, path, change, after }: PrecedingChange): string {
  switch (kind) {
    case "fact":
      return stringifyJson([kind, path.join("."), change, after]);
    case "package": {
      const versions = Array.isArray(after) && after.length > 0 ? after.map(textOf).join(", ") : null;
      return stringifyJson([kind, path[0] ?? null, path[1] ?? null, change, versions]);
    }
    case "resource":
      return stringifyJson([kind, path[0] ?? null, path[1] ?? null, change]);
    case "node":
      return stringifyJson([kind, path[0] ?? null, change, after]);
  }
}

/** The changes of a node in a time. */
function having(name: string, since: number, until: number): Set<string> {
  return new Set((recorded.get(name) ?? []).filter(({ time }) => time >= since && time <= until).map(({ key }) => key));
}

/** The changes computed from the rows of plain queries, with both counts. */
function inTypeScript(failed: ReadonlyMap<string, number>, others: readonly string[], within: number): string[] {
  const times = [...failed.values()];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const selected = [...failed].map(([name, time]) => having(name, time - within + 1, time));
  const rest = others.map((name) => having(name, first - within + 1, last));
  if (selected.length === 0 || rest.length === 0) return [];
  return [...new Set(selected.flatMap((keys) => [...keys]))]
    .flatMap((key) => {
      const [own, other] = [selected, rest].map((sets) => sets.filter((keys) => keys.has(key)).length);
      if (own === undefined || other === undefined || 2 * own < selected.length) return [];
      return own / selected.length - other / rest.length > 0.2 ? [`${key} ${own} ${other}`] : [];
    })
    .sort();
}

describe("what changed shortly before nodes failed", () => {
  it("is what plain queries and TypeScript find, for any nodes, times and spans", async () => {
    const found = new Set<string>();
    const names = [...numbers.keys()];
    const failures = fc
      .subarray(names, { minLength: 1, maxLength: names.length - 1 })
      .chain((chosen) =>
        fc.tuple(
          fc.constant(chosen),
          fc.array(fc.integer({ min: 0, max: COUNT * MINUTE }), { minLength: chosen.length, maxLength: chosen.length }),
        ),
      );
    const spans = fc.constantFrom(MINUTE, 10 * MINUTE, 60 * MINUTE, 24 * 60 * MINUTE);
    await fc.assert(
      fc.asyncProperty(failures, spans, async ([chosen, times], within) => {
        const failed = new Map(chosen.map((name, index) => [name, BEGIN + (times[index] ?? 0)]));
        const others = names.filter((name) => !failed.has(name));
        const answer = await precedingChanges(database, {
          failed: new Map([...failed].map(([name, time]) => [numbers.get(name) ?? -1, time])),
          others: new Set(others.map((name) => numbers.get(name) ?? -1)),
          within,
        });
        const texts = answer.map((change) => `${foundKey(change)} ${change.selected} ${change.rest}`);
        expect(texts.sort()).toStrictEqual(inTypeScript(failed, others, within));
        const scores = answer.map(({ score }) => score);
        expect(scores).toStrictEqual(scores.toSorted((one, other) => other - one));
        for (const { selected, rest, score } of answer) {
          expect(score).toBeCloseTo(selected / failed.size - rest / others.length, 12);
        }
        for (const { kind } of answer) found.add(kind);
      }),
      { numRuns: byLength({ short: 80, long: 300 }) },
    );
    expect(found).toStrictEqual(new Set(precedingKinds));
  });

  it("is nothing where no node failed, or all did", async () => {
    const all = [...numbers.values()];
    expect(await precedingChanges(database, { failed: new Map(), others: new Set(all), within: MINUTE })).toEqual([]);
    const failed = new Map(all.map((node) => [node, BEGIN + COUNT * MINUTE]));
    expect(await precedingChanges(database, { failed, others: new Set(), within: 24 * 60 * MINUTE })).toEqual([]);
  });
});
