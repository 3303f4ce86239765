import { beforeAll, describe, expect, it } from "vitest";
import type { Compared, NodeChange } from "#storage/diff/changes.ts";
import { comparePairs, comparePopulations, type DiffOptions } from "#storage/diff/nodes.ts";
import { diffParts } from "#storage/diff/parts.ts";
import type { Side } from "#storage/diff/side.ts";
import { countsOf, Summarizer } from "#storage/diff/summary.ts";
import { visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Json } from "#storage/json.ts";
import { a } from "#test/fixture-store.ts";
import { event, fileResource, reportResource } from "#test/storage/wire/payloads.ts";
import { foreign, sideOf } from "./sides.ts";

const everything: DiffOptions = {
  parts: new Set(diffParts),
  visibility: visibilityOf([], volatilePatterns),
  tags: true,
  locations: false,
};

const before: readonly Submission[] = [
  a.facts("same", { values: { kernel: "Linux", uptime: 1 } }),
  a.catalog("same"),
  a.facts("facts", { values: { kernel: "Linux", system_uptime: { days: 1 }, os: { major: "12", minor: "1" } } }),
  a.facts("restarted", { values: { kernel: "Linux", uptime: 1 } }),
  a.catalog("catalog", { resources: [fileResource(), fileResource({ title: "/tmp/y" })], edges: [] }),
  a.catalog("line", { resources: [fileResource({ file: "/a.pp", line: 1 })], edges: [] }),
  a.report("report", { status: "unchanged", resources: [] }),
  a.facts("gone"),
  a.facts("lost"),
  a.catalog("lost"),
  a.facts("off"),
];

const after: readonly Submission[] = [
  a.facts("same", { values: { uptime: 1, kernel: "Linux" } }),
  a.catalog("same"),
  a.facts("facts", { values: { kernel: "Linux", system_uptime: { days: 2 }, os: { major: "13", minor: "1" } } }),
  a.facts("restarted", { values: { kernel: "Linux", uptime: 2 } }),
  a.catalog("catalog", {
    environment: "staging",
    version: "2",
    resources: [fileResource({ parameters: { ensure: "absent" } }), fileResource({ title: "/tmp/z" })],
    edges: [
      { source: { type: "File", title: "/tmp/x" }, target: { type: "File", title: "/tmp/z" }, relationship: "before" },
    ],
  }),
  a.catalog("line", { resources: [fileResource({ file: "/a.pp", line: 2 })], edges: [] }),
  a.report("report", {
    status: "failed",
    transaction_uuid: "aaaaaaaa-3ff5-4e85-ba80-44c8fba4c1b8",
    resources: [reportResource({ events: [event({ status: "failure", timestamp: "2026-11-20T00:00:00Z" })] })],
  }),
  a.facts("new"),
  a.facts("lost"),
  a.facts("off"),
  a.deactivation("off", "2026-11-20T12:00:00Z"),
];

let old: Side;
let young: Side;
beforeAll(async () => {
  [old, young] = [await sideOf(before), await sideOf(after)];
});

async function collect(all: AsyncIterable<Compared>): Promise<Compared[]> {
  const found: Compared[] = [];
  for await (const compared of all) found.push(compared);
  return found;
}

function changesOf(compared: readonly Compared[]): NodeChange[] {
  return compared.flatMap(({ change }) => (change === undefined ? [] : [change]));
}

/** A node that differs, where only what is said of it does. */
function changed(certname: string, changes: object): object {
  const none = { summary: [], facts: [], packages: [], resources: [], edges: [], report: null, volatile: 0 };
  return { kind: "changed", certname, to_certname: certname, ...none, ...changes };
}

const expected: readonly object[] = [
  changed("catalog", {
    summary: [{ kind: "changed", path: ["catalog", "environment"], from: "production", to: "staging" }],
    resources: [
      {
        kind: "changed",
        type: "File",
        title: "/tmp/x",
        changes: [{ kind: "changed", path: ["parameters", "ensure"], from: "file", to: "absent" }],
      },
      {
        kind: "removed",
        type: "File",
        title: "/tmp/y",
        from: expect.objectContaining({ parameters: { ensure: "file" } }),
      },
      { kind: "added", type: "File", title: "/tmp/z", to: expect.objectContaining({ exported: false }) },
    ],
    edges: [
      {
        kind: "added",
        edge: expect.objectContaining({ source_title: "/tmp/x", target_title: "/tmp/z", relationship: "before" }),
      },
    ],
    volatile: 1,
  }),
  changed("facts", { facts: [{ kind: "changed", path: ["os", "major"], from: "12", to: "13" }], volatile: 1 }),
  { kind: "removed", certname: "gone", from: { state: "active", factset: expect.anything() } },
  changed("lost", { summary: [{ kind: "removed", path: ["catalog"], from: expect.anything() }] }),
  { kind: "added", certname: "new", to: { state: "active", factset: expect.anything() } },
  changed("off", { summary: [{ kind: "changed", path: ["state"], from: "active", to: "deactivated" }] }),
  changed("report", { summary: [{ kind: "changed", path: ["report", "status"], from: "unchanged", to: "failed" }] }),
];

describe("two populations", () => {
  it("differ in the nodes that are in one of them only or changed, in order", async () => {
    expect(changesOf(await collect(comparePopulations(old, young, everything)))).toEqual(expected);
  });

  it("differ the same with responses in another order and JSON in another layout", async () => {
    for (const [from, to] of [
      [foreign(old), young],
      [old, foreign(young)],
    ] as const) {
      expect(changesOf(await collect(comparePopulations(from, to, everything)))).toEqual(expected);
    }
  });

  it("that are equal have no differences, and every node is compared", async () => {
    const compared = await collect(
      comparePopulations(young, young, { ...everything, visibility: visibilityOf([], []) }),
    );
    expect(changesOf(compared)).toStrictEqual([]);
    expect(compared).toHaveLength(9);
  });

  it("have counts of nodes and of changed places", async () => {
    const summarizer = new Summarizer();
    for (const compared of await collect(comparePopulations(old, young, everything))) summarizer.take(compared);
    const { nodes, volatile, common } = summarizer.result();
    expect(nodes).toStrictEqual({ added: 1, removed: 1, changed: 5, same: 3 });
    expect(volatile).toBe(3);
    expect(common.find(({ place }) => place === "os.major")).toStrictEqual({
      part: "facts",
      kind: "changed",
      place: "os.major",
      nodes: 1,
      transitions: [{ from: "12", to: "13", nodes: 1 }],
    });
  });

  it.each<[name: string, options: Partial<DiffOptions>, certnames: string[]]>([
    ["facts alone", { parts: new Set(["nodes", "facts"]) }, ["facts", "gone", "new", "off"]],
    ["resources alone", { parts: new Set(["nodes", "resources"]) }, ["catalog", "gone", "lost", "new", "off"]],
    ["reports alone", { parts: new Set(["nodes", "reports"]) }, ["gone", "new", "off", "report"]],
    [
      "places in the code too",
      { parts: new Set(["nodes", "resources"]), locations: true },
      ["catalog", "gone", "line", "lost", "new", "off"],
    ],
    [
      "what always differs too",
      { parts: new Set(["nodes", "facts"]), visibility: visibilityOf([], []) },
      ["facts", "gone", "new", "off", "restarted"],
    ],
    [
      "not what is left out",
      {
        visibility: visibilityOf(
          [
            { part: "facts", glob: "os" },
            { part: "nodes", glob: "*" },
          ],
          volatilePatterns,
        ),
      },
      ["catalog", "gone", "new"],
    ],
  ])("%s", async (_name, options, certnames) => {
    const changes = changesOf(await collect(comparePopulations(old, young, { ...everything, ...options })));
    expect(changes.map(({ certname }) => certname)).toStrictEqual(certnames);
  });
});

describe("nodes that are named", () => {
  it("are compared with their latest reports in full", async () => {
    const [change] = changesOf(await collect(comparePairs(old, young, [{ from: "report", to: "report" }], everything)));
    expect(change).toMatchObject({
      summary: [],
      report: {
        head: [{ kind: "changed", path: ["status"], from: "unchanged", to: "failed" }],
        events: [{ kind: "added", type: "File", title: "/tmp/x", property: "ensure", to: { status: "failure" } }],
      },
    });
    expect(change?.kind === "changed" && countsOf(change)).toStrictEqual({ reports: 2 });
  });

  it("may be two nodes of one source", async () => {
    const pair = { from: "same", to: "facts" };
    const [change] = changesOf(
      await collect(comparePairs(old, old, [pair], { ...everything, parts: new Set(["nodes", "facts"]) })),
    );
    expect(change).toMatchObject({ certname: "same", to_certname: "facts" });
    expect(change?.kind === "changed" && change.facts.map(({ kind, path }) => [kind, path.join(".")])).toStrictEqual([
      ["added", "os"],
    ]);
  });

  it.each([
    ["neither side has", { from: "nobody", to: "nobody" }, "nobody"],
    ["is to be compared with another one", { from: "same", to: "nobody" }, "nobody"],
  ])("cause an error with its name if one %s", async (_name, pair, missing) => {
    await expect(collect(comparePairs(old, young, [pair], everything))).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining(`"${missing}"`) as string,
    });
  });

  it("are added or removed if one side does not have them", async () => {
    const pairs = ["gone", "new"].map((certname) => ({ from: certname, to: certname }));
    const changes = changesOf(await collect(comparePairs(old, young, pairs, everything)));
    expect(changes.map(({ kind, certname }) => [kind, certname])).toStrictEqual([
      ["removed", "gone"],
      ["added", "new"],
    ]);
  });
});

function facts(certname: string, ...packages: (readonly [string, string, string])[]): Submission {
  return a.facts(certname, { values: { kernel: "Linux" }, package_inventory: packages.map((one) => [...one]) });
}

const bash = ["bash", "5.2", "dpkg"] as const;

async function sides(): Promise<[Side, Side]> {
  return [
    await sideOf([
      facts("absent"),
      facts("kernels", ["linux", "6.1", "dpkg"], ["linux", "6.10", "dpkg"], bash),
      facts("none", bash),
      facts("same", bash),
      facts("upgraded", ["openssl", "3.0.9", "dpkg"], bash),
    ]),
    await sideOf([
      facts("absent", bash),
      facts("kernels", ["linux", "6.9", "dpkg"], ["linux", "6.10", "dpkg"], bash),
      facts("none"),
      facts("same", bash),
      facts("upgraded", ["openssl", "3.0.17", "dpkg"], bash),
    ]),
  ];
}

describe("packages", () => {
  const expected = {
    absent: [{ kind: "added", path: ["dpkg", "bash"], to: "5.2" }],
    kernels: [{ kind: "changed", path: ["dpkg", "linux"], from: "6.1, 6.10", to: "6.9, 6.10" }],
    none: [{ kind: "removed", path: ["dpkg", "bash"], from: "5.2" }],
    upgraded: [{ kind: "changed", path: ["dpkg", "openssl"], from: "3.0.9", to: "3.0.17" }],
  };

  it.each([
    ["of our own stores", (side: Side) => side],
    ["of a server", foreign],
  ])("are compared although facts and catalogs are the same: %s", async (_kind, as) => {
    const [one, other] = await sides();
    expect(await packageChanges(as(one), as(other), everything)).toStrictEqual(expected);
  });

  it("are compared alone, or left out, as asked", async () => {
    const [one, other] = await sides();
    const only = { ...everything, parts: new Set(["nodes", "packages"] as const) };
    expect(await packageChanges(one, other, only)).toStrictEqual(expected);
    const others = new Set(diffParts.filter((part) => part !== "packages"));
    expect(await packageChanges(one, other, { ...everything, parts: others })).toStrictEqual({});
    const visibility = visibilityOf([{ part: "packages", glob: "openssl*" }], []);
    expect(Object.keys(await packageChanges(one, other, { ...everything, visibility }))).not.toContain("upgraded");
  });

  it("of two nodes are compared", async () => {
    const [, side] = await sides();
    for await (const { change } of comparePairs(side, side, [{ from: "same", to: "upgraded" }], everything)) {
      expect(change).toMatchObject({
        packages: [{ kind: "added", path: ["dpkg", "openssl"], to: "3.0.17" }],
        facts: [],
      });
    }
  });
});

async function packageChanges(from: Side, to: Side, options: DiffOptions): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for await (const { change } of comparePopulations(from, to, options)) {
    if (change?.kind === "changed") found[change.certname] = change.packages;
  }
  return found;
}

describe("a change that many nodes share", () => {
  it("is listed once, with the most frequent values first", () => {
    const summarizer = new Summarizer();
    for (const to of ["6.1", "6.6", "6.6", "x".repeat(1000)]) summarizer.take(withKernel(to));
    expect(summarizer.result()).toStrictEqual({
      nodes: { added: 0, removed: 0, changed: 4, same: 0 },
      volatile: 8,
      common: [
        {
          part: "facts",
          kind: "changed",
          place: "kernelrelease",
          nodes: 4,
          transitions: [
            { from: "5.10", to: "6.6", nodes: 2 },
            { from: "5.10", to: "6.1", nodes: 1 },
          ],
        },
      ],
    });
  });
});

function withKernel(to: Json): Compared {
  return {
    change: {
      kind: "changed",
      certname: "x",
      to_certname: "x",
      summary: [],
      facts: [{ kind: "changed", path: ["kernelrelease"], from: "5.10", to }],
      packages: [],
      resources: [],
      edges: [],
      report: null,
      volatile: 0,
    },
    volatile: 2,
  };
}
