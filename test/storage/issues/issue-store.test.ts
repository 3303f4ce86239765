import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import type { Database } from "#storage/engine/database.ts";
import { Folding } from "#storage/issues/fold.ts";
import type { IssueListSpec } from "#storage/issues/issue-store.ts";
import { storeFailuresOfAll } from "#storage/issues/stored-reports.ts";
import { cleanEverything } from "#storage/lifecycle/request.ts";
import { openDatabase } from "#storage/store-database.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, queryRows, NOW } from "#test/fixture-store.ts";
import { generatedStore, POPULATION_TIME } from "#test/storage/query/fixture-population.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import { byLength } from "#test/length.ts";

const now = Date.parse(POPULATION_TIME);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const usual: IssueListSpec = {
  from: now - DAY,
  to: now,
  now,
  nodes: { pql: "nodes{}" },
  filter: {},
  order: "still",
  limit: 1000,
};

/** A failure of a report, as {@link failuresInTypeScript} finds it. */
interface Found {
  readonly key: string;
  readonly message: string;
  readonly certname: string;
  readonly environment: Json;
  readonly hash: Json;
  readonly time: number;
  readonly isLatest: boolean;
}

interface Run {
  readonly certname: string;
  readonly time: number;
}

/** When each node ran. */
async function runsOf(store: Store): Promise<Run[]> {
  const rows = (await queryRows(store, { of: "root", pql: "reports[certname, producer_timestamp]{}" })).filter(
    isObject,
  );
  return rows.map((row) => ({
    certname: textOf(row["certname"]),
    time: Date.parse(textOf(row["producer_timestamp"])),
  }));
}

/** Every failure of every active node, from what the query API returns. */
async function failuresInTypeScript(store: Store): Promise<Found[]> {
  const rows = async (pql: string): Promise<JsonObject[]> =>
    (await queryRows(store, { of: "root", pql })).filter(isObject);
  const events = await rows('events{ status = "failure" }');
  const latest = new Set((await rows("nodes[latest_report_hash]{}")).map((row) => row["latest_report_hash"]));
  const facts = await rows('facts{ name in ["hostname", "fqdn", "ipaddress", "ipaddress6", "networking"] }');
  const foldings = new Map<string, Folding>();
  const foldingOf = (certname: string): Folding => {
    const values = facts.filter((fact) => fact["certname"] === certname).map(({ value }) => value ?? null);
    const others = values.flatMap((value) =>
      isObject(value) ? ["hostname", "fqdn", "ip", "ip6"].map((name) => value[name]) : [value],
    );
    return new Folding({ certname, others: others.filter((name) => typeof name === "string") });
  };
  const found: Found[] = [];
  for (const report of await rows(
    "reports[hash, certname, environment, status, cached_catalog_status, producer_timestamp]{}",
  )) {
    const { hash, certname, environment = null, status } = report;
    if (typeof hash !== "string" || typeof certname !== "string") continue;
    const folding = foldings.get(certname) ?? foldingOf(certname);
    foldings.set(certname, folding);
    const add = (kind: string, type: string | null, title: string | null, message: string): void => {
      const folded = folding.fold(message, title);
      const key = JSON.stringify([kind, type, folded.title, folded.message]);
      const time = Date.parse(textOf(report["producer_timestamp"]));
      found.push({ key, message, certname, environment, hash, time, isLatest: latest.has(hash) });
    };
    const own = events.filter((event) => event["report"] === hash);
    for (const event of own) {
      const message = textOf(event["message"]) || "(without a message)";
      add("resource", textOf(event["resource_type"]), textOf(event["resource_title"]), message);
    }
    const isBad = status === "failed" || report["cached_catalog_status"] === "on_failure";
    const logs = parseJson((await store.queries.reportDocument(hash, "logs")) ?? "[]");
    const errors = (Array.isArray(logs) ? logs.filter(isObject) : []).filter(
      ({ level, source, message }) =>
        ["err", "alert", "emerg", "crit"].includes(textOf(level)) &&
        !own.some(
          (event) =>
            textOf(source).includes(`${textOf(event["resource_type"])}[${textOf(event["resource_title"])}]`) ||
            textOf(event["message"]).includes(textOf(message)),
        ),
    );
    const causes = errors.filter(({ message }) => textOf(message) !== "Could not retrieve catalog; skipping run");
    const lines = causes.length > 0 || own.length > 0 ? causes : errors;
    for (const { message } of lines.slice(0, 5)) {
      const isOfCatalog = /^Could not retrieve catalog|Evaluation Error|Server Error/.test(textOf(message));
      add(isBad ? (isOfCatalog ? "catalog" : "run") : "warning", null, null, textOf(message));
    }
    if (own.length + lines.length > 0 || !isBad) continue;
    add(
      "run",
      null,
      null,
      `${status === "failed" ? "The run failed" : "A cached catalog was used"}, and its report has no error`,
    );
  }
  return found;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** What is compared of an issue, by what makes its identity. */
function issuesInTypeScript(
  failures: readonly Found[],
  runs: readonly Run[],
  spec: IssueListSpec,
): Map<string, unknown> {
  const { from, to, environment, certname } = spec;
  const isInRange = ({ time }: Found): boolean => time >= from && time < to;
  const day = spec.now - DAY;
  const issues = new Map<string, unknown>();
  for (const [key, group] of Map.groupBy(failures, (one) => one.key)) {
    const scoped = group.filter((one) => environment === undefined || one.environment === environment);
    const inRange = scoped.filter(isInRange);
    if (inRange.length === 0) continue;
    if (certname !== undefined && !group.some((one) => one.certname === certname && isInRange(one))) continue;
    const spark = Array.from({ length: 24 }, (_, part) => {
      const [begin = 0, end = 0] = [part, part + 1].map((each) => from + (each * (to - from)) / 24);
      return namesOf(inRange.filter(({ time }) => time >= begin && time < end)).size;
    });
    const times = scoped.map(({ time }) => time);
    const still = namesOf(scoped.filter(({ isLatest }) => isLatest));
    const [before, since] = [times.filter((time) => time < day), times.filter((time) => time >= day)];
    const [last, first] = [Math.max(...before), Math.min(...since)];
    const ofNodes = namesOf(scoped);
    const isBack =
      first - last >= DAY && runs.some(({ certname: name, time }) => ofNodes.has(name) && time > last && time < first);
    const recent = namesOf(scoped.filter(({ time }) => time >= day));
    issues.set(key, {
      state:
        still.size === 0
          ? "resolved"
          : before.length === 0
            ? "new"
            : isBack && since.length > 0
              ? "regressed"
              : "continuing",
      nodes: namesOf(inRange).size,
      still: still.size,
      isHere: certname !== undefined && still.has(certname),
      joined: [...still].filter(
        (name) => Math.min(...scoped.filter((one) => one.certname === name).map(({ time }) => time)) >= day,
      ).length,
      recovered: [...recent].filter((name) => !still.has(name)).length,
      events: inRange.length,
      environments: [...new Set(inRange.map((one) => textOf(one.environment)))].sort(),
      first: new Date(Math.min(...times)).toISOString(),
      last: new Date(Math.max(...times)).toISOString(),
      spark,
    });
  }
  return issues;
}

function namesOf(failures: readonly Found[]): Set<string> {
  return new Set(failures.map(({ certname }) => certname));
}

const uncompared: ReadonlySet<string> = new Set(["id", "common", "elsewhere", "place", "class", "sample"]);

async function listed(store: Store, spec: IssueListSpec): Promise<Map<string, unknown>> {
  const { issues } = await store.issues.list(spec);
  return new Map(
    issues.map(({ kind, type, title, message, ...rest }) => [
      JSON.stringify([kind, type, title, message]),
      Object.fromEntries(Object.entries(rest).filter(([name]) => !uncompared.has(name))),
    ]),
  );
}

describe("issues of a population", () => {
  let store: Store;
  let failures: Found[];
  let runs: Run[];

  beforeAll(async () => {
    store = await generatedStore({ nodes: 60 });
    failures = await failuresInTypeScript(store);
    runs = await runsOf(store);
  });

  afterAll(() => store.close());

  it("contain every failure in exactly one issue, with any scope", async () => {
    const environments = [...new Set(failures.map(({ environment }) => textOf(environment)))];
    const scope = fc.record(
      {
        from: fc.integer({ min: now - 12 * DAY, max: now - 1 }),
        now: fc.integer({ min: now - 8 * DAY, max: now + DAY }),
        environment: fc.constantFrom(...environments, "nowhere"),
        certname: fc.constantFrom(...namesOf(failures)),
      },
      { requiredKeys: ["from"] },
    );
    await fc.assert(
      fc.asyncProperty(scope, fc.integer({ min: 1, max: 5 * DAY }), async (limits, length) => {
        const spec = { ...usual, ...limits, to: limits.from + length };
        const wanted = issuesInTypeScript(failures, runs, spec);
        const found = await listed(store, spec);
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
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
      runs,
      usual,
    );
    const found = await listed(store, { ...usual, nodes: { pql } });
    expect(found.size).toBeGreaterThan(0);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  });

  it("are filtered by kind, state, type, class and common message, and counted by state", async () => {
    const spec = { ...usual, from: now - 9 * DAY };
    const { issues: all, states } = await store.issues.list(spec);
    const [one] = all.filter(({ kind, class: name }) => kind === "resource" && name !== null);
    for (const property of ["kind", "state", "type", "class", "common"] as const) {
      const value = one?.[property] ?? "";
      const found = await store.issues.list({ ...spec, filter: { [property]: value } });
      expect(found.issues).toEqual(all.filter((issue) => issue[property] === value));
      expect(found.total).toBe(found.issues.length);
    }
    for (const [state, count] of Object.entries(states)) {
      expect(all.filter((issue) => issue.state === state)).toHaveLength(count);
    }
    for (const { common, elsewhere } of all) {
      expect(all.filter((issue) => issue.common === common)).toHaveLength(elsewhere + 1);
    }
  });

  it("are ordered and limited as requested", async () => {
    const whole = await store.issues.list({ ...usual, from: now - 9 * DAY });
    for (const order of ["still", "nodes", "events", "first", "last"] as const) {
      const { total, issues } = await store.issues.list({ ...usual, from: now - 9 * DAY, order, limit: 5 });
      const valueOf = (issue: (typeof issues)[number]): number =>
        typeof issue[order] === "number" ? issue[order] : Date.parse(issue[order]);
      expect(total).toBe(whole.total);
      expect(issues.map(valueOf)).toEqual(
        whole.issues
          .map(valueOf)
          .sort((x, y) => y - x)
          .slice(0, 5),
      );
    }
  });

  it("have in their details the messages that they join, nodes and reports", async () => {
    const spec = { ...usual, from: now - 9 * DAY };
    const { issues } = await store.issues.list(spec);
    for (const issue of issues) {
      const { id, kind, type, title, message } = issue;
      const detail = await store.issues.detail({ ...spec, id, zone: "Europe/Berlin" });
      const key = JSON.stringify([kind, type, title, message]);
      const own = failures.filter((one) => one.key === key && one.time >= spec.from && one.time < now);
      expect(detail.issue).toEqual(issue);
      expect(detail.nodes.filter(({ still }) => still)).toHaveLength(issue.still);
      expect(detail.nodes.map(({ certname }) => certname).sort()).toEqual([...namesOf(own)].sort());
      expect(new Set(detail.reports.map(({ hash }) => hash))).toEqual(new Set(own.map(({ hash }) => hash)));
      const counts = detail.messages.map(({ count }) => count);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(own.length);
      const counted = detail.histogram.buckets
        .flatMap(([, ...ofBucket]) => ofBucket)
        .reduce((sum, count) => sum + count, 0);
      expect(counted).toBe(detail.reports.length);
      expect(detail.begin).toMatchObject({ time: issue.first, version: expect.any(String) });
    }
  });

  it("are not found if they do not occur, and the error names possible reasons", async () => {
    const detail = (id: string): Promise<unknown> => store.issues.detail({ ...usual, id, zone: "UTC" });
    await expect(detail("v2-000000000000")).rejects.toMatchObject({ code: "not-found" });
    await expect(detail("v2-000000000000")).rejects.toThrow("choose a longer range");
    await expect(detail("v1-000000000000")).rejects.toThrow("was made by other rules than today's (v2)");
    await expect(store.issues.list({ ...usual, nodes: { pql: "facts{}" } })).rejects.toThrow(
      "write one that selects nodes",
    );
    await expect(store.issues.list({ ...usual, from: now })).rejects.toThrow("ends before it begins");
  });
});

/** A report of this age in hours: with a failed event, or without. */
function run(certname: string, hour: number, message?: string): Parameters<Store["submit"]>[0] {
  const at = new Date(Number(NOW / 1000n) - hour * HOUR).toISOString();
  const status = message === undefined ? "unchanged" : "failed";
  const events = message === undefined ? [] : [payloads.event({ timestamp: at, status: "failure", message })];
  const changes = { producer_timestamp: at, start_time: at, end_time: at, status, logs: [] };
  return a.report(certname, { ...changes, resources: [payloads.reportResource({ events })] });
}

async function opened(): Promise<{ store: Store; database: Database }> {
  const options = { clock: fixedClock(NOW) };
  const database = await openDatabase(options);
  return { store: await Store.over(database, options), database };
}

describe("issues of a store that changes", () => {
  const present = Number(NOW / 1000n);
  const spec = { ...usual, from: present - 30 * DAY, to: present + DAY, now: present };

  it("equal those that are made anew of the stored reports", async () => {
    const { store, database } = await opened();
    await store.submit(run("alpha", 60, "first on alpha"));
    await store.save();
    const step = fc.oneof(
      fc.record({
        node: fc.constantFrom("alpha", "beta", "gamma"),
        hour: fc.integer({ min: 1, max: 600 }),
        message: fc.constantFrom("x on alpha", "x on beta", "c 12", undefined),
      }),
      fc.constantFrom("reset" as const, "clean" as const, "deactivate" as const),
    );
    const content = "SELECT to_json(t)::VARCHAR AS row FROM (FROM failures JOIN issues ON issue_id = id) t ORDER BY 1";
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await store.reset();
        for (const each of steps) {
          if (each === "reset") await store.reset();
          else if (each === "clean") await store.lifecycle.clean(cleanEverything);
          else if (each === "deactivate") await store.submit(a.deactivation("beta", "2026-10-01T00:00:00Z"));
          else await store.submit(run(each.node, each.hour, each.message));
        }
        const kept = await database.rows(content);
        await database.transaction((tx) =>
          tx.execute(["failures", "issues"], "DELETE FROM failures; DELETE FROM issues"),
        );
        await storeFailuresOfAll(database, () => undefined);
        expect(await database.rows(content)).toEqual(kept);
      }),
      { numRuns: byLength({ short: 15, long: 150 }) },
    );
    await store.close();
  });

  it("are new, continuing, regressed or resolved", async () => {
    const { store } = await opened();
    const history: readonly (readonly [string, number, string?])[] = [
      ["alpha", 2, "new"],
      ["beta", 50, "continuing"],
      ["beta", 2, "continuing"],
      ["gamma", 60, "regressed"],
      ["gamma", 30],
      ["gamma", 2, "regressed"],
      ["delta", 2, "resolved"],
      ["delta", 1],
    ];
    for (const [certname, hour, message] of history) await store.submit(run(certname, hour, message));
    const { issues } = await store.issues.list(spec);
    expect(issues).toHaveLength(4);
    expect(issues.filter(({ message, state }) => message !== state)).toEqual([]);
    await store.close();
  });

  it("are counted over the fleet where one node has them", async () => {
    const { store } = await opened();
    for (const name of ["alpha", "beta", "gamma"]) await store.submit(run(name, 20, "no space left"));
    await store.submit(run("gamma", 1));
    const list = async (certname: string): Promise<unknown> => (await store.issues.list({ ...spec, certname })).issues;
    expect(await list("alpha")).toMatchObject([{ nodes: 3, still: 2, isHere: true }]);
    expect(await list("gamma")).toMatchObject([{ nodes: 3, still: 2, isHere: false }]);
    expect(await list("delta")).toEqual([]);
    await store.submit(a.deactivation("alpha", "2026-11-20T23:30:00Z"));
    expect(await list("alpha")).toMatchObject([{ nodes: 3, still: 2, isHere: true }]);
    expect(await list("beta")).toMatchObject([{ nodes: 2, still: 1, isHere: true }]);
    await store.close();
  });

  it("have the same ids whatever the store, and whether facts come before or after the report", async () => {
    const ids = new Set<string>();
    for (const [certname, domain] of [
      ["web-01.example.com", "example.com"],
      ["9f3a", "lan"],
    ] as const) {
      const { store } = await opened();
      const report = run(certname, 2, "mars: no such host mars");
      const facts = a.facts(certname, { values: { hostname: "mars", networking: { fqdn: `mars.${domain}` } } });
      await store.submit(facts);
      await store.submit(report);
      const { issues } = await store.issues.list(spec);
      expect(issues).toMatchObject([{ message: "<node>: no such host <node>" }]);
      for (const { id } of issues) ids.add(id);
      await store.close();
    }
    expect(ids.size).toBe(1);
  });
});
