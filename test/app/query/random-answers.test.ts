import { silenceAt } from "#storage/states/node-state.ts";
import { expect, it } from "vitest";
import { Answers, type Freshness } from "#app/query/answers.ts";
import { Random } from "#fixtures/random.ts";
import type { Database } from "#storage/engine/database.ts";
import { parseJson } from "#storage/json.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { planCounts } from "#storage/query/counts.ts";
import { planFacets } from "#storage/query/facets/facets.ts";
import { type Plan, planQuery } from "#storage/query/query.ts";
import { runPlan } from "#storage/query/run.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import type { Timestamp } from "#storage/time.ts";
import { a, time } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

const STEPS = byLength({ short: 400, long: 100_000 });
const SEED = 20_261_129;

const random = new Random("random answers", SEED);
const MINUTE = 60_000_000n;
const never = new AbortController().signal;

let now: Timestamp = time("2026-11-20T12:00:00Z");

function at(microseconds: bigint): string {
  return new Date(Number(microseconds / 1000n)).toISOString();
}

const nodes = ["alpha", "beta", "gamma"] as const;
const word = (): string => random.pick(["Linux", "Minix", "a", "b", "1"]);

/** A command, of the present or late. */
function commandOf(): Parameters<Store["submit"]>[0] {
  const certname = random.pick([...nodes]);
  const when = at(now - (random.chance(0.2) ? random.pick([1n, 60n, 3000n]) * MINUTE : 0n));
  const environment = random.pick(["production", "staging"]);
  switch (random.pick(["facts", "volatile", "volatile", "catalog", "report", "report", "inputs", "deactivate"])) {
    case "facts":
      return a.facts(certname, { environment, producer_timestamp: when, values: { kernel: word(), uptime: word() } });
    case "volatile":
      return a.facts(certname, { producer_timestamp: when, values: { kernel: "Linux", os: { a: 1 }, uptime: when } });
    case "catalog": {
      const resources = [payloads.fileResource({ title: `/${word()}`, parameters: { mode: word() } })];
      return a.catalog(certname, { environment, producer_timestamp: when, resources, edges: [] });
    }
    case "report": {
      const status = random.pick(["failed", "changed", "unchanged"]);
      return a.report(certname, { environment, status, producer_timestamp: when, start_time: when, end_time: when });
    }
    case "inputs":
      return a.inputs(certname, { producer_timestamp: when, inputs: [["hiera", word()]] });
    default:
      return a.deactivation(certname, when);
  }
}

async function change(store: Store): Promise<void> {
  const kind = random.fraction();
  if (kind < 0.85) await store.submit(commandOf());
  else if (kind < 0.93) now += random.pick([1n, 600n, 5000n, 20_000n]) * MINUTE;
  else await store.lifecycle.clean(cleanEverything);
}

const patterns = ["^(?!be)", "^(?!al)", "^(?!ga)", "^a", "^b", "(a).*\\1"];

/** Queries with a place for a value. */
const holes: readonly ((value: string) => string)[] = [
  (value) => `nodes[certname]{ facts_environment = "${value}" }`,
  (value) => `nodes[certname, latest_report_status]{ certname = "${value}" }`,
  (value) => `facts[certname, value]{ name = "kernel" and value = "${value}" }`,
  (value) => `facts[certname, value]{ name = "${value}" }`,
  (value) => `facts[certname, value]{ name = "uptime" and certname = "${value}" }`,
  (value) => `inventory[certname, facts.kernel]{ facts.kernel = "${value}" }`,
  (value) => `inventory[certname, facts.uptime]{ certname = "${value}" }`,
  (value) => `resources[certname, title]{ title = "/${value}" }`,
  (value) => `resources[certname]{ parameters.mode = "${value}" }`,
  (value) => `reports[certname, status]{ environment = "${value}" }`,
  (value) => `reports[count()]{ status = "${value}" }`,
  (value) => `nodes[certname]{ resources{ title = "/${value}" } }`,
  (value) => `nodes[certname]{ facts{ name = "kernel" and value = "${value}" } }`,
  (value) => `nodes[certname]{ node_state = "inactive" and certname != "${value}" }`,
  (value) => `events[certname, status]{ certname = "${value}" }`,
  (value) => `catalogs[certname, environment]{ environment = "${value}" }`,
  (value) => `factsets[certname]{ environment = "${value}" }`,
  (value) => `environments[name]{ name = "${value}" }`,
  (value) => `fact_contents[certname, value]{ name = "${value}" }`,
  (value) => `fact_paths[path]{ path ~> ["${value}"] }`,
];
const values = ["Linux", "Minix", "a", "b", "1", "kernel", "uptime", "os", "alpha", "beta", "production", "failed"];
const silence = silenceAt(0, 0);

interface Asked {
  readonly name: string;
  /** As the service plans it: with what it caches. */
  readonly cached: (store: Store) => Plan;
  /** Without anything that is cached. */
  readonly fresh: () => Plan;
}

const recent: Asked[] = [];

/** Often one of the last queries again. */
function asked(): Asked {
  const before = random.chance(0.6) ? recent[random.integer(0, 5)] : undefined;
  if (before !== undefined) return before;
  const made = newlyAsked();
  recent.unshift(made);
  recent.length = Math.min(recent.length, 6);
  return made;
}

const context = {
  get purgeHorizon() {
    return now - defaultRetention.nodePurgeTtl;
  },
};

function newlyAsked(): Asked {
  const kind = random.fraction();
  if (kind < 0.1) {
    const spec = { summarizeBy: random.pick(["certname", "resource"] as const), countBy: "resource" as const };
    const query = ["=", "certname", random.pick([...nodes])];
    const whole = { ...spec, query } as unknown as Parameters<typeof planCounts>[0];
    return {
      name: JSON.stringify(whole),
      cached: ({ queries }) => queries.planCounts(whole),
      fresh: () => planCounts(whole, context),
    };
  }
  if (kind < 0.25) {
    const filters = [{ field: "facts.kernel", value: word(), excludes: random.chance(0.5) }];
    const spec = { pql: "nodes{}", facets: [["report_environment"], ["facts.uptime"]], filters, limit: 9, silence };
    return {
      name: JSON.stringify(spec),
      cached: ({ queries }) => queries.planFacets(spec),
      fresh: () => planFacets(spec, context),
    };
  }
  const pql =
    kind < 0.45
      ? `nodes[certname]{ certname ~ ${JSON.stringify(random.pick(patterns))} }`
      : random.pick([...holes])(random.pick(values));
  const spec = { of: "root" as const, pql };
  return { name: pql, cached: ({ queries }) => queries.plan(spec), fresh: () => planQuery(spec, context) };
}

/** Rows as one text, in an order of their own. */
async function textOf(rows: AsyncIterable<{ texts(): string[] }>): Promise<string> {
  const texts: string[] = [];
  for await (const batch of rows) texts.push(...batch.texts());
  // Parts of a document have no order either.
  return JSON.stringify(texts.map((text) => JSON.stringify(parseJson(text))).sort());
}

async function freshText(database: Database, { fresh }: Asked): Promise<string> {
  return textOf((await runPlan(database, fresh(), {})).rows);
}

it(
  `answers are those of fresh reads, in ${STEPS} steps of commands, time, maintenance and queries`,
  { timeout: 14_400_000 },
  async () => {
    let ms = 0;
    const options = { clock: { now: () => now }, volatileFacts: [] };
    const database = await openDatabase(options);
    const store = await Store.over(database, options);
    const answers = new Answers(4_000_000, () => ms);
    let [found, older, announced] = [0, 0, 0];
    const differences: object[] = [];
    for (let step = 0; step < STEPS; step++) {
      ms += random.pick([0, 0, 0, 1, 1, 100, 5000]);
      if (random.chance(0.3)) {
        await change(store);
        continue;
      }
      const query = asked();
      const plan = query.cached(store);
      const state = store.queries.identityOf(plan);
      const { revision } = store;
      const freshness: Freshness | undefined = random.chance(0.6) ? { times: 10, revision } : undefined;
      let isMade = false;
      const make = async (): Promise<Buffer> => {
        isMade = true;
        ms += random.pick([1, 10, 100]);
        return Buffer.from(await textOf((await store.queries.run(plan)).rows));
      };
      announced = Math.max(announced, answers.settled(revision));
      const answer = await answers.get(state, freshness, make, never);
      if (!isMade) found++;
      if (answer.state.version === state.version) {
        const [rows, fresh] = [await answers.text(answer), await freshText(database, query)];
        if (rows !== fresh) differences.push({ step, query: query.name, rows, fresh });
      } else {
        older++;
        // What was announced is in it.
        const { revision: of = -1 } = answer.shown ?? {};
        if (freshness === undefined || of < announced) differences.push({ step, query: query.name, of, announced });
      }
    }
    await store.close();
    expect(differences).toEqual([]);
    expect(found).toBeGreaterThan(STEPS / 50);
    expect(older).toBeGreaterThan(0);
  },
);
