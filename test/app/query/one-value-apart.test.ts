import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { exactNumber, type Json, parseJson, stringifyJson } from "#storage/json.ts";
import { planQuery, type QuerySpec } from "#storage/query/query.ts";
import { runPlan } from "#storage/query/run.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW, population } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { queryPath, serve, type Served } from "../fixture-service.ts";

let served: Served;
let database: Database;

const facts: readonly Json[] = [
  "1",
  1,
  exactNumber("1.0"),
  true,
  "true",
  null,
  "null",
  "",
  [1],
  ["1"],
  { a: 1 },
  "x/y",
];

beforeAll(async () => {
  const options = { clock: fixedClock(NOW) };
  database = await openDatabase(options);
  const store = await Store.over(database, options);
  for (const submission of population) await store.submit(submission);
  for (const [index, load] of facts.entries()) {
    const at = `2026-11-20T15:00:${10 + index}Z`;
    await store.submit(a.facts(`load-${index}`, { producer_timestamp: at, values: { load } }));
  }
  served = await serve(store);
});

afterAll(() => served.close());

/** Patterns that the engine takes, and such as it does not. */
const pattern = fc.constantFrom(
  ..."^(?!be),^(?!al),(?=a)a,(?=b)b,(?<!x)1$,(a)\\1,(l)\\1,\\yalpha\\y,\\ybeta\\y,\\mload,\\Mload,a,A,(?i)A,^load,1$,x/,x\\/".split(
    ",",
  ),
);

const scalar = fc.constantFrom<Json>(
  "1",
  "true",
  "null",
  "",
  "alpha",
  "beta",
  "Linux",
  "production",
  "2026-11-20T15:00:12Z",
  0,
  1,
  1.5,
  true,
  false,
  exactNumber("1.0"),
  exactNumber("-0"),
  exactNumber("1e400"),
);

const time = fc.constantFrom("2026-11-20T15:00:12Z", "2026-11-20T15:00:13Z", "2026-11-20T15:00:12.000001Z");
const list = fc.array(scalar, { minLength: 1, maxLength: 3 });
const name = fc.constantFrom("load", "kernel", "os", "a", "");

type Holed = (value: Json) => QuerySpec;

const ofFacts: QuerySpec["of"] = { entity: "facts", activeOnly: true };
const ofNodes: QuerySpec["of"] = { entity: "nodes", activeOnly: true };
const pql = (text: string): QuerySpec => ({ of: "root", pql: text });
const written = (value: Json): string => stringifyJson(value);

/** Queries with a place for one value, and what may be there. */
const holes: readonly (readonly [Holed, fc.Arbitrary<Json>])[] = [
  [(value) => ({ of: ofNodes, query: ["~", "certname", value] }), pattern],
  [(value) => ({ of: ofFacts, query: ["~", "value", value] }), pattern],
  [(value) => ({ of: ofFacts, query: ["and", ["~", "name", "o"], ["~", "certname", value]] }), pattern],
  [(value) => ({ of: ofNodes, query: ["not", ["~", "report_environment", value]] }), pattern],
  [(value) => pql(`nodes[certname]{ certname ~ ${written(value)} }`), pattern],
  [(value) => pql(`inventory[certname]{ facts.kernel ~ ${written(value)} }`), pattern],
  [(value) => pql(`nodes[certname]{ facts{ name = "load" and certname ~ ${written(value)} } }`), pattern],
  [(value) => pql(`resources[certname, title]{ type ~ ${written(value)} }`), pattern],
  [(value) => ({ of: ofFacts, query: ["=", "value", value] }), scalar],
  [(value) => ({ of: ofFacts, query: ["and", ["=", "name", "load"], ["=", "value", value]] }), scalar],
  [(value) => ({ of: ofFacts, query: [">=", "value", value] }), scalar],
  [(value) => ({ of: ofFacts, query: ["=", "name", value] }), name],
  [(value) => ({ of: ofFacts, query: ["in", "value", ["array", value]] }), list],
  [(value) => ({ of: ofNodes, query: ["in", "certname", ["array", value]] }), list],
  [(value) => ({ of: ofNodes, query: ["=", ["fact", "load"], value] }), scalar],
  [(value) => ({ of: ofNodes, query: ["=", "certname", value] }), scalar],
  [(value) => pql(`inventory[certname]{ facts.load = ${written(value)} }`), scalar],
  [(value) => ({ of: ofNodes, query: [">", "facts_timestamp", value] }), time],
  [(value) => ({ of: ofNodes, limit: BigInt(Number(value)), orderBy }), fc.integer({ min: 1, max: 3 })],
  [(value) => ({ of: ofNodes, offset: BigInt(Number(value)), orderBy }), fc.integer({ min: 0, max: 3 })],
];

const orderBy = [{ field: "certname", descending: false }];

const pair = fc
  .constantFrom(...holes)
  .chain(([holed, value]) => fc.tuple(fc.constant(holed), value, value, fc.boolean()));

/** Rows as texts, in an order of their own: the engine has none where a query says none. */
function sorted(rows: readonly Json[]): string[] {
  return rows.map(stringifyJson).sort();
}

/** What the service answers. */
async function sent({ of, query, pql: text, limit, offset, orderBy: order }: QuerySpec): Promise<string[] | string> {
  const path = of === "root" ? "" : `/${of.entity}`;
  const orders = order?.map(({ field }) => ({ field, order: "asc" }));
  const given = Object.entries({ query: text ?? query, limit, offset, order_by: orders });
  const parameters = given.flatMap(([key, value]) =>
    value === undefined ? [] : [[key, typeof value === "bigint" ? String(value) : textOf(value)]],
  );
  const answer = await served.get(queryPath(path, Object.fromEntries(parameters) as Record<string, string>));
  return answer.status === 200 ? sorted(parseJson(answer.text) as Json[]) : answer.text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : stringifyJson(value as Json);
}

/** What the engine answers, without anything that was kept of other queries. */
async function fresh(spec: QuerySpec): Promise<string[] | string> {
  try {
    const plan = planQuery(spec, { purgeHorizon: NOW - 14n * 86_400_000_000n });
    const rows: Json[] = [];
    for await (const batch of (await runPlan(database, plan, {})).rows) rows.push(...batch.texts().map(parseJson));
    return sorted(rows);
  } catch (error) {
    return (error as Error).message;
  }
}

it("answers each of two queries that differ in one value with its own rows, however often they are sent by turns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 3 }), async (pairs) => {
      for (const [holed, first, second, isOften] of pairs) {
        const specs = [holed(first), holed(second)] as const;
        const own = await Promise.all(specs.map(fresh));
        // An answer is recorded when its query is sent for the second time.
        for (const turn of isOften ? [0, 0, 0, 1, 1, 1, 0] : [0, 1, 0, 1, 0, 1]) {
          expect(await sent(specs[turn] as QuerySpec)).toEqual(own[turn]);
        }
      }
    }),
    { numRuns: byLength({ short: 25, long: 600 }) },
  );
});
