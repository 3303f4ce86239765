import { silenceAt } from "#storage/states/node-state.ts";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { IssueListSpec } from "#storage/issues/issue-store.ts";
import type { Json } from "#storage/json.ts";
import type { FacetFilter } from "#storage/query/facets/facets.ts";
import type { Store } from "#storage/store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW, population, rowsOf, time } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { inOrderOfArrival, randomCommands } from "#test/storage/history/random-commands.ts";
import { contentOf, follow, startOrigin } from "./origin.ts";

describe("a store that follows a Census", () => {
  it("has all of its nodes, whatever their state, and the times at which they were received", async () => {
    const origin = await startOrigin();
    for (const submission of population) await origin.store.submit(inMilliseconds(submission));
    const copy = await follow([origin]);
    await copy.equalize();
    expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    expect(copy.statuses).toMatchObject([{ state: "following", nodes: 6, problem: undefined, missingReports: 0 }]);
    expect(copy.notices).toStrictEqual([]);
    await copy.close();
    await origin.close();
  });

  it.each(byLength({ short: [1], long: [1, 2, 3] }))(
    "is equal after random commands, deletions and restarts (seed %i)",
    async (seed) => {
      const random = new Random(seed, "follow");
      const origin = await startOrigin();
      let copy = await follow([origin]);
      const compared: [Record<string, string>, Record<string, string>][] = [];
      for (const { submission } of inOrderOfArrival(seed, randomCommands(seed, 120))) {
        await origin.store.submit(submission);
        if (random.chance(0.1)) await copy.followers[0]?.look();
        if (random.chance(0.03)) await origin.store.lifecycle.deleteNode(random.pick(["alpha", "beta", "gamma"]));
        if (random.chance(0.02)) {
          await copy.close();
          copy = await follow([origin]);
        }
        if (random.chance(0.05)) {
          await copy.equalize();
          compared.push([await contentOf(copy.store), await contentOf(origin.store)]);
        }
      }
      await copy.equalize();
      compared.push([await contentOf(copy.store), await contentOf(origin.store)]);
      for (const [ofCopy, ofOrigin] of compared) expect(ofCopy).toStrictEqual(ofOrigin);
      await copy.close();
      await origin.close();
    },
  );

  it("fetches a document once, and none whose content is the same", async () => {
    const origin = await startOrigin();
    await origin.store.submit(a.facts("web", { values: { kernel: "Linux" } }));
    await origin.store.submit(a.catalog("web"));
    const copy = await follow([origin]);
    await copy.equalize();
    const later = { producer_timestamp: "2026-11-20T11:00:00.000Z" };
    await origin.store.submit(
      a.facts("web", { values: { kernel: "Linux" }, ...later, producer: "other" }, NOW + 1000n),
    );
    await origin.store.submit(a.catalog("web", later, NOW + 1000n));
    await copy.equalize();
    const { documents } = copy.statuses[0]?.counts ?? {};
    expect(documents).toStrictEqual(
      new Map([
        ["facts", 1],
        ["catalog", 1],
      ]),
    );
    expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    await copy.close();
    await origin.close();
  });

  it("fetches the reports of many hours with few requests", async () => {
    const origin = await startOrigin();
    for (let hour = 0; hour < 60; hour++) {
      const time = new Date(Date.parse("2026-11-18T00:30:00Z") + hour * 3_600_000).toISOString();
      await origin.store.submit(a.report("web", { producer_timestamp: time }));
    }
    const copy = await follow([origin]);
    await copy.followers[0]?.look(true);
    expect(await reportsOf(copy.store)).toBe(60);
    expect(copy.statuses[0]?.counts.requests).toBeLessThan(12);
    await copy.close();
    await origin.close();
  });

  it("has the issues of its origin", async () => {
    const origin = await startOrigin();
    const message = "Could not set 'file' on ensure: No space left on device";
    const line = {
      time: "2026-11-20T10:00:00.000Z",
      level: "err",
      message,
      source: "Puppet",
      tags: [],
      file: null,
      line: null,
    };
    for (const certname of ["web", "db"]) {
      const failed = { status: "failed", producer_timestamp: "2026-11-20T10:00:00.000Z", logs: [line] };
      await origin.store.submit(a.facts(certname, { producer_timestamp: "2026-11-20T10:00:00.000Z" }));
      await origin.store.submit(a.report(certname, failed));
    }
    const copy = await follow([origin]);
    await copy.equalize();
    const issues = await issuesOf(origin.store);
    expect(issues).toMatchObject([{ kind: "run", nodes: 2 }]);
    expect(await issuesOf(copy.store)).toStrictEqual(issues);
    await copy.close();
    await origin.close();
  });

  it("is all there although something new comes before every look", async () => {
    const origin = await startOrigin();
    const submitted = async (minute: number): Promise<void> => {
      const at = { producer_timestamp: new Date(Number(NOW / 1000n) - 3_600_000 + minute * 60_000).toISOString() };
      const received = NOW + BigInt(minute) * 60_000_000n;
      await origin.store.submit(a.facts("web", { values: { minute }, ...at }, received));
      const report = a.report(minute % 2 === 0 ? "web" : `node-${minute}`, { ...at, resources: [] });
      await origin.store.submit(inMilliseconds(report));
    };
    const copy = await follow([origin]);
    const isAll: (boolean | undefined)[] = [];
    for (let minute = 0; minute < 4; minute++) {
      await submitted(minute);
      isAll.push(await copy.followers[0]?.look(true));
      expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    }
    // At the first look everything differs, and nothing tells what is new.
    expect(isAll).toStrictEqual([false, true, true, true]);
    await copy.close();
    await origin.close();
  });

  it("has a report that arrives later than newer ones, and that of a plan", async () => {
    const origin = await startOrigin();
    await origin.store.submit(a.report("web", { producer_timestamp: "2026-11-20T10:00:00.000Z" }));
    const copy = await follow([origin]);
    await copy.equalize();
    const earlier = { producer_timestamp: "2026-11-18T10:00:00.000Z", transaction_uuid: null };
    await origin.store.submit(a.report("web", earlier));
    await origin.store.submit(a.report("web", { type: "plan", producer_timestamp: "2026-11-19T10:00:00.000Z" }));
    await copy.followers[0]?.look();
    expect(await reportsOf(copy.store)).toBe(1);
    await copy.followers[0]?.look(true);
    expect(await reportsOf(copy.store)).toBe(3);
    await copy.close();
    await origin.close();
  });
});

describe("a node that is deleted at its origin", () => {
  it("is deleted once two looks in a row miss it", async () => {
    const origin = await startOrigin();
    for (const submission of population) await origin.store.submit(submission);
    const copy = await follow([origin]);
    await copy.equalize();
    await origin.store.lifecycle.deleteNode("alpha");
    await copy.followers[0]?.look();
    expect(copy.store.origins.stored("alpha")).toBeDefined();
    await copy.followers[0]?.look();
    expect(copy.store.origins.stored("alpha")).toBeUndefined();
    await copy.equalize();
    expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    await copy.close();
    await origin.close();
  });

  it("has nothing of before where it came back between two looks", async () => {
    const origin = await startOrigin();
    await origin.store.submit(a.facts("web", { producer_timestamp: "2026-11-20T12:00:00.000Z", values: { old: "x" } }));
    await origin.store.submit(a.catalog("web"));
    const copy = await follow([origin]);
    await copy.equalize();
    await origin.store.lifecycle.deleteNode("web");
    const older = "2026-11-20T11:00:00.000Z";
    await origin.store.submit(a.facts("web", { producer_timestamp: older, values: { new: "y" } }, NOW + 5000n));
    await copy.equalize();
    expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    await copy.close();
    await origin.close();
  });

  it("is kept where more than a tenth is missing at once, until that is accepted", async () => {
    const origin = await startOrigin();
    for (let node = 0; node < 40; node++) await origin.store.submit(a.facts(`node-${node}`));
    await using folder = await temporaryFolder();
    const directory = join(folder.path, "data");
    const copy = await follow([origin], { directory });
    await copy.equalize();
    for (let node = 0; node < 20; node++) await origin.store.lifecycle.deleteNode(`node-${node}`);
    for (let look = 0; look < 3; look++) await copy.followers[0]?.look();
    expect(copy.statuses).toMatchObject([
      { state: "held", nodes: 40, problem: "20 of 40 nodes are missing there at once" },
    ]);
    expect(copy.notices.filter((text) => text.includes("--accept-loss"))).toHaveLength(1);
    await copy.close();
    const accepting = await follow([origin], { directory }, { acceptsLoss: true });
    await accepting.equalize();
    expect(accepting.statuses).toMatchObject([{ state: "following", nodes: 20 }]);
    await accepting.close();
    await origin.close();
  });
});

describe("an origin that was restored from a backup", () => {
  it("does not take away what is newer here, and is followed again when it is newer", async () => {
    const origin = await startOrigin();
    await origin.store.submit(kernelAt(10, "5.10"));
    await origin.store.save();
    await origin.store.submit(kernelAt(12, "6.1"));
    const copy = await follow([origin]);
    await copy.equalize();
    await origin.store.reset();
    await copy.equalize();
    expect(copy.statuses).toMatchObject([{ state: "following", ahead: 1 }]);
    expect(copy.notices).toMatchObject([expect.stringContaining("newer data here")]);
    expect(copy.store.origins.stored("web")?.facts_producer_timestamp).toBe(time("2026-11-20T12:00:00Z"));
    await origin.store.submit(kernelAt(13, "6.2"));
    await copy.equalize();
    expect(copy.statuses).toMatchObject([{ ahead: 0 }]);
    expect(await contentOf(copy.store)).toStrictEqual(await contentOf(origin.store));
    await copy.close();
    await origin.close();
  });
});

describe("a store that follows a server and accepts commands", () => {
  it("has the newest document of both, each report once, and loses none", async () => {
    const origin = await startOrigin();
    await origin.store.submit(kernelAt(10, "5.10"));
    const copy = await follow([origin]);
    await copy.equalize();
    await copy.store.submit(kernelAt(12, "6.1"));
    await copy.store.submit(a.report("web", at(12)));
    await copy.store.submit(a.facts("moved", at(12)));
    await origin.store.submit(a.report("web", at(12)));
    await origin.store.submit(kernelAt(11, "5.15"));
    await copy.equalize();
    const kernels = async () => (await rowsOf(copy.store, "facts", ["=", "name", "kernel"])).map(({ value }) => value);
    expect(await kernels()).toContain("6.1");
    expect(await reportsOf(copy.store)).toBe(1);
    expect(copy.store.origins.stored("moved")).toBeDefined();
    await origin.store.submit(kernelAt(13, "6.2"));
    await copy.equalize();
    expect(await kernels()).toContain("6.2");
    expect(copy.store.origins.stored("moved")).toBeDefined();
    await copy.close();
    await origin.close();
  });
});

describe("a store that follows two servers", () => {
  it("has the newest document of a node that both have, its state there, and all reports; the last one deletes it", async () => {
    const [eu, us] = [await startOrigin("eu"), await startOrigin("us")];
    await eu.store.submit(a.facts("both", { ...at(10), values: { site: "eu" } }));
    await us.store.submit(a.facts("both", { ...at(11), values: { site: "us" } }));
    await eu.store.submit(a.facts("only-eu"));
    await eu.store.submit(a.deactivation("both", "2026-11-20T12:00:00.000Z"));
    await eu.store.submit(a.report("both", { ...at(10), transaction_uuid: null }));
    await us.store.submit(a.report("both", at(11)));
    await us.store.submit(a.facts("only-us"));
    const copy = await follow([eu, us]);
    await copy.equalize();
    expect(copy.statuses).toMatchObject([
      { name: "eu", nodes: 2, shared: 1, ahead: 0 },
      { name: "us", nodes: 2, shared: 1 },
    ]);
    expect(copy.store.origins.shared).toStrictEqual(["both"]);
    expect(copy.store.origins.stored("both")).toMatchObject({
      facts_producer_timestamp: time("2026-11-20T11:00:00Z"),
      deactivated: null,
    });
    expect(await reportsOf(copy.store)).toBe(2);
    const listed = await rowsOf(copy.store, "origins");
    const shown = listed.map(({ name, certname, is_current: isCurrent, deactivated, latest_report_hash: hash }) => {
      return JSON.stringify([name, certname, isCurrent, deactivated, hash === null]);
    });
    expect(shown.toSorted()).toStrictEqual([
      '["eu","both",false,"2026-11-20T12:00:00.000Z",false]',
      '["eu","only-eu",true,null,true]',
      '["us","both",true,null,false]',
      '["us","only-us",true,null,true]',
    ]);
    const inEu: Json = ["in", "certname", ["extract", "certname", ["select_origins", ["=", "name", "eu"]]]];
    expect(await fieldOf(copy.store, "nodes", "certname", inEu)).toStrictEqual(["both", "only-eu"]);
    const counts = { pql: "nodes{}", facets: [["origins.name"]], limit: 10, silence: silenceAt(0, 0) };
    const counted = async (filters: FacetFilter[]) => {
      const { facets, total } = await copy.store.queries.facets(copy.store.queries.planFacets({ ...counts, filters }));
      return { values: facets[0]?.values, total };
    };
    const values = [
      { value: "eu", count: 2 },
      { value: "us", count: 2 },
    ];
    expect(await counted([])).toStrictEqual({ values, total: 3 });
    const filter = { field: "origins.name", value: "eu", excludes: true };
    expect(await counted([filter])).toStrictEqual({ values, total: 1 });
    await us.store.lifecycle.deleteNode("both");
    await copy.equalize();
    expect(copy.store.origins.stored("both")).toBeDefined();
    await eu.store.lifecycle.deleteNode("both");
    await copy.equalize();
    expect(copy.store.origins.stored("both")).toBeUndefined();
    await copy.close();
    await Promise.all([eu.close(), us.close()]);
  });
});

function at(hour: number): { producer_timestamp: string } {
  return { producer_timestamp: `2026-11-20T${hour}:00:00.000Z` };
}

function kernelAt(hour: number, kernel: string): Submission {
  return a.facts("web", { ...at(hour), values: { kernel } }, NOW + BigInt(hour) * 1000n);
}

/** Answers have no microseconds. */
function inMilliseconds(submission: Submission): Submission {
  return { ...submission, payload: String(submission.payload).replace(/(T[\d:]{8}\.\d{3})\d+Z/g, "$1Z") };
}

async function reportsOf(store: Store): Promise<number> {
  return (await rowsOf(store, "reports", ["=", "type", "any"])).length;
}

async function issuesOf(store: Store): Promise<unknown> {
  const now = Number(NOW / 1000n);
  const range = { from: now - 9 * 86_400_000, to: now, now, nodes: { pql: "nodes{}" } };
  const spec: IssueListSpec = { ...range, filter: {}, order: "still", limit: 10 };
  return (await store.issues.list(spec)).issues;
}
