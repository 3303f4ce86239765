import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#storage/engine/database.ts";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { fold } from "#storage/issues/fold.ts";
import { type IssueListSpec, IssueStore } from "#storage/issues/issue-store.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, queryRows, NOW, time } from "#test/fixture-store.ts";
import { generatedStore, POPULATION_TIME } from "#test/storage/query/fixture-population.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { byLength } from "#test/length.ts";

const now = Date.parse(POPULATION_TIME);
const DAY = 86_400_000;

const usual: IssueListSpec = {
  from: now - DAY,
  to: now,
  nodes: { pql: "nodes{}" },
  filter: {},
  order: "nodes",
  limit: 1000,
};

/** A failure of a report, as {@link failuresInTypeScript} finds it. */
interface Found {
  readonly kind: string;
  readonly type: string | null;
  readonly title: string | null;
  readonly message: string;
  readonly certname: string;
  readonly environment: Json;
  readonly hash: Json;
  readonly time: number;
}

/** Every failure of every active node, from what the query API returns. */
async function failuresInTypeScript(store: Store): Promise<Found[]> {
  const rows = async (pql: string): Promise<JsonObject[]> =>
    (await queryRows(store, { of: "root", pql })).filter(isObject);
  const events = await rows('events{ status = "failure" }');
  const reports = await rows(
    "reports[hash, certname, environment, status, cached_catalog_status, producer_timestamp]{}",
  );
  const found: Found[] = [];
  for (const report of reports) {
    const { hash, certname, environment, status } = report;
    if (typeof hash !== "string" || typeof certname !== "string") continue;
    const own = events.filter((event) => event["report"] === hash);
    const at = {
      certname,
      environment: environment ?? null,
      hash,
      time: Date.parse(textOf(report["producer_timestamp"])),
    };
    for (const event of own) {
      const [type, title] = [textOf(event["resource_type"]), textOf(event["resource_title"])];
      found.push({ kind: "resource", type, title, message: textOf(event["message"]) || "(without a message)", ...at });
    }
    const isHidden = status !== "failed" && report["cached_catalog_status"] === "on_failure";
    if (status !== "failed" && !isHidden) continue;
    const logs = parseJson((await store.queries.reportDocument(hash, "logs")) ?? "[]");
    const errors = (Array.isArray(logs) ? logs.filter(isObject) : []).filter(
      ({ level, source }) =>
        ["err", "alert", "emerg", "crit"].includes(textOf(level)) &&
        !own.some((event) =>
          textOf(source).includes(`${textOf(event["resource_type"])}[${textOf(event["resource_title"])}]`),
        ),
    );
    const isSkipping = ({ message }: JsonObject): boolean =>
      textOf(message) === "Could not retrieve catalog; skipping run";
    const causes = errors.filter((line) => !isSkipping(line));
    const lines = causes.length > 0 || own.length > 0 ? causes : errors;
    for (const { message } of lines.slice(0, 5)) {
      const isOfCatalog = /^Could not retrieve catalog|Evaluation Error|Server Error|Error while evaluating/.test(
        textOf(message),
      );
      const kind = isHidden ? "hidden" : isOfCatalog ? "catalog" : "run";
      found.push({ kind, type: null, title: null, message: textOf(message), ...at });
    }
    if (own.length + lines.length > 0) continue;
    const message = isHidden
      ? "A cached catalog was used, and the report has no error"
      : "The run failed, and its report has no error";
    found.push({ kind: isHidden ? "hidden" : "run", type: null, title: null, message, ...at });
  }
  return found;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What is compared of an issue, by what makes its identity. */
function issuesInTypeScript(failures: readonly Found[], spec: IssueListSpec): Map<string, unknown> {
  const groups = Map.groupBy(failures, ({ kind, type, title, message, certname }) =>
    JSON.stringify([kind, type, title === null ? null : fold(title, certname), fold(message, certname)]),
  );
  const issues = new Map<string, unknown>();
  for (const [key, group] of groups) {
    const { from, to, environment, certname } = spec;
    const scoped = group.filter(
      (each) =>
        (environment === undefined || each.environment === environment) &&
        (certname === undefined || each.certname === certname),
    );
    const inRange = scoped.filter((each) => each.time >= from && each.time < to);
    if (inRange.length === 0) continue;
    const spark = Array.from({ length: 24 }, (_, part) => {
      const [begin, end] = [part, part + 1].map((each) => from + (each * (to - from)) / 24);
      return inRange.filter((each) => each.time >= (begin ?? 0) && each.time < (end ?? 0)).length;
    });
    const times = scoped.map((each) => each.time);
    const newest = Math.max(...inRange.map((each) => each.time));
    issues.set(key, {
      nodes: new Set(inRange.map((each) => each.certname)).size,
      events: inRange.length,
      environments: [...new Set(inRange.map((each) => textOf(each.environment)))].sort(),
      first: new Date(Math.min(...times)).toISOString(),
      last: new Date(Math.max(...times)).toISOString(),
      isNew: Math.min(...times) >= from,
      newest: inRange.filter((each) => each.time === newest).map((each) => each.hash),
      spark,
    });
  }
  return issues;
}

async function listed(issues: IssueStore, spec: IssueListSpec): Promise<Map<string, unknown>> {
  const { issues: found } = await issues.list(spec);
  return new Map(
    found.map(({ kind, type, title, message, nodes, events, environments, first, last, isNew, sample, spark }) => [
      JSON.stringify([kind, type, title, message]),
      { nodes, events, environments, first, last, isNew, newest: [sample.report], spark },
    ]),
  );
}

describe("issues of a population", () => {
  let store: Store;
  let failures: Found[];

  beforeAll(async () => {
    store = await generatedStore({ nodes: 60 });
    failures = await failuresInTypeScript(store);
  });

  afterAll(() => store.close());

  it("contain every failure in exactly one issue, with any filters", { timeout: 120_000 }, async () => {
    expect(new Set(failures.map(({ kind }) => kind)).size).toBeGreaterThan(2);
    const environments = [...new Set(failures.map(({ environment }) => textOf(environment)))];
    const certnames = [...new Set(failures.map(({ certname }) => certname))];
    const scope = fc.record(
      {
        from: fc.integer({ min: now - 12 * DAY, max: now - 1 }),
        environment: fc.constantFrom(...environments, "nowhere"),
        certname: fc.constantFrom(...certnames),
      },
      { requiredKeys: ["from"] },
    );
    await fc.assert(
      fc.asyncProperty(scope, fc.integer({ min: 1, max: 5 * DAY }), async (limits, length) => {
        const spec = { ...usual, ...limits, to: limits.from + length };
        const wanted = issuesInTypeScript(failures, spec);
        const found = await listed(store.issues, spec);
        expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
        for (const [key, issue] of found) {
          const { newest, ...rest } = wanted.get(key) as { newest: string[] };
          expect(issue).toEqual({ ...rest, newest: [expect.toBeOneOf(newest)] });
        }
      }),
      { numRuns: byLength({ short: 30, long: 300 }) },
    );
  });

  it("are those of the nodes that a query selects", async () => {
    const pql = 'nodes{ latest_report_status = "failed" }';
    const selected = new Set(
      (await queryRows(store, { of: "root", pql })).filter(isObject).map(({ certname }) => certname),
    );
    const wanted = issuesInTypeScript(
      failures.filter(({ certname }) => selected.has(certname)),
      usual,
    );
    const found = await listed(store.issues, { ...usual, nodes: { pql } });
    expect(found.size).toBeGreaterThan(0);
    expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
  });

  it("are filtered by kind, type and class", async () => {
    const all = (await store.issues.list(usual)).issues;
    const [one] = all.filter(({ kind }) => kind === "resource");
    const by = async (filter: IssueListSpec["filter"]): Promise<string[]> =>
      (await store.issues.list({ ...usual, filter })).issues.map(({ id }) => id);
    expect(await by({ kind: "hidden" })).toEqual(all.filter(({ kind }) => kind === "hidden").map(({ id }) => id));
    expect(await by({ type: one?.type ?? "" })).toEqual(
      all.filter(({ type }) => type === one?.type).map(({ id }) => id),
    );
    expect(await by({ class: one?.class ?? "" })).toEqual(
      all.filter((issue) => issue.class === one?.class).map(({ id }) => id),
    );
  });

  it("are ordered and limited as requested", async () => {
    const whole = await store.issues.list({ ...usual, from: now - 9 * DAY });
    for (const order of ["nodes", "events", "first", "last"] as const) {
      const { total, issues } = await store.issues.list({ ...usual, from: now - 9 * DAY, order, limit: 5 });
      const values = whole.issues.map((issue) =>
        typeof issue[order] === "number" ? issue[order] : Date.parse(issue[order]),
      );
      const shown = issues.map((issue) => (typeof issue[order] === "number" ? issue[order] : Date.parse(issue[order])));
      expect(total).toBe(whole.total);
      expect(shown).toEqual(values.sort((x, y) => y - x).slice(0, 5));
    }
  });

  it("have in their details the messages that they join, nodes and reports", { timeout: 60_000 }, async () => {
    const { issues } = await store.issues.list({ ...usual, from: now - 9 * DAY });
    for (const { id, nodes, events, kind, type, title, message } of issues) {
      const detail = await store.issues.detail({ ...usual, from: now - 9 * DAY, id, zone: "Europe/Berlin" });
      const own = failures.filter(
        (each) =>
          each.time >= now - 9 * DAY &&
          each.time < now &&
          each.kind === kind &&
          each.type === type &&
          (each.title === null ? null : fold(each.title, each.certname)) === title &&
          fold(each.message, each.certname) === message,
      );
      const counts = new Map(
        [...Map.groupBy(own, (each) => each.message)].map(([text, group]) => [text, group.length]),
      );
      expect(new Map(detail.messages.map(({ message: text, count }) => [text, count]))).toEqual(counts);
      expect(detail.issue).toMatchObject({ id, nodes, events });
      expect(detail.nodes).toHaveLength(nodes);
      expect(new Set(detail.reports.map(({ hash }) => hash))).toEqual(new Set(own.map(({ hash }) => hash)));
      const runs = detail.histogram.buckets.flatMap(([, ...counted]) => counted).reduce((sum, count) => sum + count, 0);
      expect(runs).toBe(detail.reports.length);
    }
  });

  it("are not found if they do not occur, and the error names possible reasons", async () => {
    const detail = (id: string): Promise<unknown> => store.issues.detail({ ...usual, id, zone: "UTC" });
    await expect(detail("v1-000000000000")).rejects.toMatchObject({ code: "not-found" });
    await expect(detail("v1-000000000000")).rejects.toThrow("choose a longer range");
    await expect(detail("v0-000000000000")).rejects.toThrow("was made by other rules than today's (v1)");
    await expect(store.issues.list({ ...usual, nodes: { pql: "facts{}" } })).rejects.toThrow(
      "write one that selects nodes",
    );
    await expect(store.issues.list({ ...usual, from: now })).rejects.toThrow("ends before it begins");
  });
});

/** A report of a failed event, of this age in hours. */
function failing(certname: string, hour: number, message: string): Parameters<Store["submit"]>[0] {
  const at = new Date(Number(NOW / 1000n) - hour * 3_600_000).toISOString();
  const events = [payloads.event({ timestamp: at, status: "failure", message })];
  const changes = { producer_timestamp: at, start_time: at, end_time: at, status: "failed", logs: [] };
  return a.report(certname, { ...changes, resources: [payloads.reportResource({ events })] });
}

/** A store, and its issues read part by part and kept in step. */
async function opened(sizes?: {
  part: number;
  few: number;
}): Promise<{ store: Store; issues: IssueStore; fresh: () => IssueStore }> {
  const options = { clock: fixedClock(NOW) };
  const database: Database = await openDatabase(options);
  const store = await Store.over(database, options);
  const make = (): IssueStore => IssueStore.of(database, store.queries, sizes);
  return { store, issues: make(), fresh: () => IssueStore.of(database, store.queries) };
}

describe("issues of a store that changes", () => {
  const from = Number(NOW / 1000n) - 3 * DAY;
  const spec = { ...usual, from, to: Number(NOW / 1000n) + DAY };

  it("equal those of a store that is read from the beginning", { timeout: 300_000 }, async () => {
    const { store, issues, fresh } = await opened();
    await store.submit(failing("alpha", 60, "first"));
    await store.save();
    const step = fc.oneof(
      fc.record({
        node: fc.constantFrom("alpha", "beta", "gamma"),
        hour: fc.integer({ min: 1, max: 400 }),
        message: fc.constantFrom("a", "b", "c"),
      }),
      fc.constantFrom("reset" as const, "clean" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        await store.reset();
        for (const each of steps) {
          if (each === "reset") await store.reset();
          else if (each === "clean") await store.lifecycle.clean(cleanEverything);
          else await store.submit(failing(each.node, each.hour, each.message));
          const anew = fresh();
          expect(await issues.list(spec)).toEqual(await anew.list(spec));
          await anew.close();
        }
      }),
      { numRuns: byLength({ short: 10, long: 100 }) },
    );
    await issues.close();
    await store.close();
  });

  it("are read backwards in the background until all reports are read", async () => {
    const { store, issues } = await opened({ part: 3, few: 2 });
    for (let hour = 1; hour <= 20; hour++) await store.submit(failing("alpha", hour * 12, hour > 15 ? "old" : "young"));
    const first = await issues.list({ ...spec, from: Number(NOW / 1000n) - DAY });
    expect(first).toMatchObject({ isComplete: false, issues: [{ message: "young", events: 2, isNew: false }] });
    await expect.poll(() => issues.isComplete, { timeout: 30_000 }).toBe(true);
    const then = await issues.list({ ...spec, from: Number(NOW / 1000n) - DAY });
    const seen = new Date(Number(NOW / 1000n) - 15 * 12 * 3_600_000).toISOString();
    expect(then).toMatchObject({
      isComplete: true,
      issues: [{ message: "young", events: 2, first: seen, isNew: false }],
    });
    await issues.close();
    await store.close();
  });

  it("are no longer read for a client that leaves, and are read for the next one", async () => {
    const { store, issues } = await opened();
    await store.submit(failing("alpha", 2, "a"));
    await expect(issues.list(spec, { signal: AbortSignal.abort(new Error("left")) })).rejects.toThrow("left");
    expect((await issues.list(spec)).total).toBe(1);
    await issues.close();
    await store.close();
  });

  it("belong to active nodes, or to a named one of any state", async () => {
    const { store, issues } = await opened();
    await store.submit(failing("alpha", 2, "a"));
    await store.submit(a.deactivation("alpha", "2026-11-20T23:30:00Z"));
    expect((await issues.list(spec)).total).toBe(0);
    expect((await issues.list({ ...spec, certname: "alpha" })).total).toBe(1);
    expect(time("2026-11-20T23:30:00Z")).toBeLessThan(NOW);
    await issues.close();
    await store.close();
  });
});
