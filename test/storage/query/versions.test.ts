import { silenceAt } from "#storage/states/node-state.ts";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { entities } from "#storage/query/entities/index.ts";
import type { Plan } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { days } from "#storage/time.ts";
import { a, emptyStore, time } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { byLength } from "#test/length.ts";

const day = "2026-11-20T";

/** A store and a moment within the day, later with each command. */
interface Moment {
  readonly store: Store;
  readonly at: string;
}

const node = fc.constantFrom("alpha", "beta");
const variant = fc.integer({ min: 0, max: 2 });

/** A run whose `uptime` and `processors.speed` are volatile. */
function run(
  certname: string,
  at: string,
  { count, speed, environment }: { count: number; speed: number; environment: string },
): Submission {
  const values = { kernel: "Linux", os: { name: "x" }, uptime: `${speed} days`, processors: { count, speed } };
  return a.facts(certname, { producer_timestamp: at, environment, values });
}

/** Queries of facts of which none is volatile. */
const ofSteadyFacts = [
  'facts[certname, value]{ name = "kernel" }',
  'facts[certname, environment, value]{ name in ["kernel", "os"] }',
  "inventory[certname, facts.processors.count]{}",
  'inventory[certname]{ facts.os.name = "x" and facts.processors.count > 2 }',
  'inventory[certname]{ ! facts.os.name = "y" }',
  'nodes[certname]{ facts{ name = "kernel" and value = "Linux" } }',
];

/** Queries of others. */
const ofVolatileFacts = [
  'facts[certname, value]{ name = "uptime" }',
  'facts[certname, value]{ name in ["kernel", "processors"] }',
  'facts[certname, value]{ name = "kernel" or name = "uptime" }',
  "inventory[certname, facts.uptime]{}",
  "inventory[certname, facts.processors.speed]{}",
  "inventory[certname]{ facts.processors.count > 2 and facts.processors.speed > 1 }",
  'nodes[certname]{ facts{ name = "uptime" and value = "1 days" } }',
  "facts[value, count()]{ group by value }",
  'fact_contents[certname, value]{ path = ["processors", "speed"] }',
];

/** Something that changes the store. */
const step = fc.oneof(
  fc.record({ node, variant }).map(
    ({ node: certname, variant: n }) =>
      async ({ store, at }: Moment) =>
        store.submit(a.facts(certname, { producer_timestamp: at, values: { kernel: `k${n}`, os: { name: "x" } } })),
  ),
  // Volatile facts alone change in most of them.
  fc.record({ node, variant, other: fc.integer({ min: 0, max: 9 }) }).map(
    ({ node: certname, variant: n, other }) =>
      async ({ store, at }: Moment) =>
        store.submit(run(certname, at, { count: other === 0 ? n : 4, speed: n, environment: other === 1 ? "e" : "f" })),
  ),
  fc.record({ node, variant }).map(
    ({ node: certname, variant: n }) =>
      async ({ store, at }: Moment) =>
        store.submit(
          a.catalog(certname, {
            producer_timestamp: at,
            resources: [payloads.fileResource({ title: `/etc/${n}`, parameters: { mode: `${n}` } })],
            edges: [],
          }),
        ),
  ),
  fc.record({ node, variant }).map(
    ({ node: certname, variant: n }) =>
      async ({ store, at }: Moment) =>
        store.submit(
          a.report(certname, {
            producer_timestamp: at,
            start_time: at,
            end_time: at,
            status: ["failed", "changed"][n] ?? null,
          }),
        ),
  ),
  node.map(
    (certname) =>
      async ({ store, at }: Moment) =>
        store.submit(a.deactivation(certname, at)),
  ),
  fc.constant(async ({ store }: Moment) => store.lifecycle.clean(cleanEverything)),
  fc.constant(async ({ store }: Moment) => store.reset()),
);

/** Queries of every entity, and counts of values in several. */
function plansOf({ queries }: Store): Plan[] {
  const counted = [
    ["nodes{}", "state"],
    ["nodes{}", "facts.kernel"],
    ["resources{}", "title"],
    ["reports{ latest_report? = true }", "status"],
  ] as const;
  const silence = silenceAt(Date.parse(`${day}00:00:00Z`), 0);
  return [
    ...Object.keys(entities).map((name) => queries.plan({ of: "root", query: ["from", name] })),
    ...[...ofSteadyFacts, ...ofVolatileFacts].map((pql) => queries.plan({ of: "root", pql })),
    ...[
      "nodes[report_environment, count()]{ group by report_environment }",
      "nodes[certname]{ expired is null }",
      'nodes[certname]{ latest_report_status = "failed" }',
      "nodes[certname]{ facts_timestamp is null }",
      'resources[certname, type]{ title = "/etc/1" }',
    ].map((pql) => queries.plan({ of: "root", pql })),
    ...counted.map(([query, facet]) =>
      queries.planFacets({ pql: query, facets: [[facet]], filters: [], limit: 10, silence }),
    ),
  ];
}

async function rowsOf({ queries }: Store, plan: Plan): Promise<string[]> {
  const texts: string[] = [];
  for await (const rows of (await queries.run(plan)).rows) texts.push(...rows.texts());
  return texts.sort();
}

it("rows of a plan do not change while its version is the same", async () => {
  const store = await emptyStore();
  await store.submit(a.facts("alpha", { producer_timestamp: `${day}01:00:00Z` }));
  await store.save();
  let minute = 60;
  const seen = new Map<string, string[]>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
      for (const change of steps) {
        const at = new Date(Date.parse(`${day}00:00:00Z`) + ++minute * 1000).toISOString();
        await change({ store, at });
        for (const plan of plansOf(store)) {
          const key = store.queries.versionOf(plan);
          const rows = await rowsOf(store, plan);
          expect(rows).toEqual(seen.get(key) ?? rows);
          seen.set(key, rows);
        }
      }
    }),
    { numRuns: byLength({ short: 4, long: 40 }) },
  );
  await store.close();
});

it("a plan that depends on how long nodes are inactive has a new version when time passes", async () => {
  let now = time(`${day}12:00:00Z`);
  const store = await emptyStore({ clock: { now: () => now } });
  await store.submit(a.facts("alpha", { producer_timestamp: `${day}10:00:00Z` }));
  await store.submit(a.deactivation("alpha", `${day}11:00:00Z`));
  const plan = (): Plan =>
    store.queries.planFacets({
      pql: 'nodes{ node_state = "inactive" }',
      facets: [],
      filters: [],
      limit: 10,
      silence: silenceAt(0, 0),
    });
  const [version, [total]] = [store.queries.versionOf(plan()), await rowsOf(store, plan())];
  expect(store.queries.versionOf(plan())).toBe(version);
  now += days(30);
  expect(store.queries.versionOf(plan())).not.toBe(version);
  expect([total, ...(await rowsOf(store, plan()))]).toEqual(['{"total":1}', '{"total":0}']);
  await store.close();
});

it("the version of a plan does not change with other tables", async () => {
  const store = await emptyStore();
  const at = `${day}10:00:00Z`;
  await store.submit(a.catalog("alpha", { producer_timestamp: at }));
  await store.submit(a.facts("alpha", { producer_timestamp: at }));
  const spec = { facets: [["title"]], filters: [], limit: 10, silence: silenceAt(0, 0) };
  const plan = (): Plan => store.queries.planFacets({ pql: "resources{}", ...spec });
  const before = store.queries.versionOf(plan());
  await store.submit(a.report("alpha", { producer_timestamp: at, start_time: at, end_time: at }));
  await store.submit(a.facts("alpha", { producer_timestamp: `${day}10:01:00Z`, values: { kernel: "other" } }));
  expect(store.queries.versionOf(plan())).toBe(before);
  await store.submit(a.catalog("alpha", { producer_timestamp: `${day}10:02:00Z`, resources: [], edges: [] }));
  expect(store.queries.versionOf(plan())).not.toBe(before);
  await store.close();
});

it("the version of a plan changes with volatile facts only where it reads some", async () => {
  const store = await emptyStore();
  const same = { count: 4, environment: "production" };
  const version = (pql: string): string => store.queries.versionOf(store.queries.plan({ of: "root", pql }));
  const versions = (): { steady: string[]; volatile: string[] } => {
    return { steady: ofSteadyFacts.map(version), volatile: ofVolatileFacts.map(version) };
  };
  await store.submit(run("alpha", `${day}10:00:00Z`, { ...same, speed: 1 }));
  await store.submit(run("beta", `${day}10:00:00Z`, { ...same, speed: 1 }));
  const before = versions();
  await store.submit(run("alpha", `${day}10:30:00Z`, { ...same, speed: 2 }));
  const after = versions();
  expect(after.steady).toEqual(before.steady);
  expect(after.volatile.filter((version, index) => version === before.volatile[index])).toEqual([]);
  await store.submit(run("alpha", `${day}11:00:00Z`, { ...same, count: 5, speed: 2 }));
  const last = versions();
  expect(last.steady.filter((version, index) => version === after.steady[index])).toEqual([]);
  await store.close();
});

it("the version of a plan changes with the columns of nodes that it reads only", async () => {
  const store = await emptyStore();
  await store.submit(a.facts("alpha", { producer_timestamp: `${day}10:00:00Z` }));
  await store.submit(a.catalog("alpha", { producer_timestamp: `${day}10:00:00Z` }));
  const version = (pql: string): string => store.queries.versionOf(store.queries.plan({ of: "root", pql }));
  const [ofFacts, ofReports, ofResources] = [
    "factsets[certname, producer_timestamp]{}",
    "nodes[latest_report_status, count()]{ group by latest_report_status }",
    'resources[certname]{ type = "Class" }',
  ];
  const all = (): string[] => [ofFacts, ofReports, ofResources].map(version);
  const changed = async (submission: Submission): Promise<boolean[]> => {
    const before = all();
    await store.submit(submission);
    return all().map((after, index) => after !== before[index]);
  };
  const at = `${day}11:00:00Z`;
  expect(await changed(a.facts("alpha", { producer_timestamp: at }))).toEqual([true, false, false]);
  const report = a.report("alpha", { producer_timestamp: at, start_time: at, end_time: at });
  expect(await changed(report)).toEqual([false, true, false]);
  expect(await changed(a.catalog("alpha", { producer_timestamp: at }))).toEqual([false, false, false]);
  expect(await changed(a.facts("beta", { producer_timestamp: at }))).toEqual([true, true, true]);
  await store.close();
});
