import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Outcome } from "#storage/ingest/outcome.ts";
import type { JsonObject } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import { a, command, emptyStore, fieldOf, nodeRow, rowsOf, submitted, time } from "#test/fixture-store.ts";
import { classResource, edge, fileResource } from "#test/storage/wire/payloads.ts";

let store: Store;
beforeEach(async () => {
  store = await emptyStore();
});
afterEach(() => store.close());

const at = (hour: string): string => `2026-11-20T${hour}Z`;

/** Data of different content, so that nothing is unchanged. */
const kinds: Readonly<Record<string, (hour: string, mark: string) => Submission>> = {
  facts: (hour, mark) => a.facts("web", { producer_timestamp: at(hour), values: { mark } }),
  catalog: (hour, mark) =>
    a.catalog("web", {
      producer_timestamp: at(hour),
      resources: [classResource(), fileResource({ title: mark })],
      edges: [],
    }),
  inputs: (hour, mark) => a.inputs("web", { producer_timestamp: at(hour), inputs: [["hiera", mark]] }),
  expiration: (hour, mark) => a.expiration("web", mark === "new", at(hour)),
};

/** What is stored of the kind now. */
const marks: Readonly<Record<string, () => Promise<string[]>>> = {
  facts: () => fieldOf(store, "facts", "value"),
  catalog: () => fieldOf(store, "resources", "title", ["=", "type", "File"]),
  inputs: () => fieldOf(store, "catalog_input_contents", "name"),
  expiration: async () => [(await nodeRow(store, "web"))?.["expires_facts"] === true ? "new" : "old"],
};

describe("newer data replace earlier ones (reference/commands.md §4)", () => {
  it.each<[kind: string, hour: string, when: string, Outcome]>([
    ["facts", "09:59:59.999", "older", "stale"],
    ["facts", "10:00:00", "of the same time", "stored"],
    ["facts", "10:00:00.001", "newer", "stored"],
    ["catalog", "09:59:59.999", "older", "stale"],
    ["catalog", "10:00:00", "of the same time", "stored"],
    ["catalog", "10:00:00.001", "newer", "stored"],
    ["inputs", "09:59:59.999", "older", "stale"],
    ["inputs", "10:00:00", "of the same time", "stale"],
    ["inputs", "10:00:00.001", "newer", "stored"],
    ["expiration", "09:59:59.999", "older", "stale"],
    ["expiration", "10:00:00", "of the same time", "stale"],
    ["expiration", "10:00:00.001", "newer", "stored"],
  ])("%s at %s, which is %s: %s", async (kind, hour, _when, outcome) => {
    const make = kinds[kind];
    const stored = marks[kind];
    if (make === undefined || stored === undefined) throw new Error(kind);
    expect(await submitted(store, make("10:00:00", "old"), make(hour, "new"))).toEqual(["stored", outcome]);
    expect(await stored()).toEqual([outcome === "stored" ? "new" : "old"]);
  });

  it("times are compared to the microsecond", async () => {
    const outcomes = await submitted(
      store,
      kinds["facts"]?.("10:00:00.000002", "old") ?? a.facts("web"),
      kinds["facts"]?.("10:00:00.000001", "new") ?? a.facts("web"),
    );
    expect(outcomes).toEqual(["stored", "stale"]);
  });

  it("times in different zones are compared as instants", async () => {
    const outcomes = await submitted(
      store,
      a.facts("web", { producer_timestamp: "2026-11-20T10:00:00+02:00", values: { mark: "old" } }),
      a.facts("web", { producer_timestamp: "2026-11-20T09:00:00Z", values: { mark: "new" } }),
    );
    expect(outcomes).toEqual(["stored", "stored"]);
  });

  it("data of one node do not replace those of another", async () => {
    const outcomes = await submitted(
      store,
      a.facts("web", { producer_timestamp: at("12:00:00") }),
      a.facts("db", { producer_timestamp: at("10:00:00") }),
    );
    expect(outcomes).toEqual(["stored", "stored"]);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["db", "web"]);
  });
});

describe("facts that did not change", () => {
  it("update the times and the producer, and nothing else", async () => {
    const values: JsonObject = { kernel: "Linux" };
    const received = [time("2026-11-20T10:00:01Z"), time("2026-11-20T11:00:01Z")];
    const outcomes = await submitted(
      store,
      a.facts("web", { producer_timestamp: at("10:00:00"), values, producer: "one" }, received[0]),
      a.facts("web", { producer_timestamp: at("11:00:00"), values, producer: "two" }, received[1]),
    );
    expect(outcomes).toEqual(["stored", "unchanged"]);
    expect(await rowsOf(store, "factsets", ["extract", ["producer_timestamp", "timestamp", "producer"]])).toEqual([
      { producer_timestamp: "2026-11-20T11:00:00.000Z", timestamp: "2026-11-20T11:00:01.000Z", producer: "two" },
    ]);
    expect(await nodeRow(store, "web")).toMatchObject({ facts_timestamp: "2026-11-20T11:00:01.000Z" });
    expect(await fieldOf(store, "facts", "name")).toEqual(["kernel"]);
  });

  it("count as changed in another environment", async () => {
    await submitted(
      store,
      a.facts("web", { producer_timestamp: at("10:00:00"), environment: "production" }),
      a.facts("web", { producer_timestamp: at("11:00:00"), environment: null }),
    );
    expect(await nodeRow(store, "web")).toMatchObject({ facts_environment: null });
    expect(await fieldOf(store, "facts", "environment")).toEqual(["null"]);
  });
});

describe("a catalog that did not change", () => {
  it("updates its metadata and keeps its resources", async () => {
    const outcomes = await submitted(
      store,
      a.catalog(
        "web",
        { producer_timestamp: at("10:00:00"), version: "1", code_id: "a" },
        time("2026-11-20T10:00:01Z"),
      ),
      a.catalog(
        "web",
        {
          producer_timestamp: at("11:00:00"),
          version: "2",
          code_id: "b",
          job_id: "j",
          environment: "staging",
          producer: null,
          transaction_uuid: "22222222-2222-4222-8222-222222222222",
        },
        time("2026-11-20T11:00:01Z"),
      ),
    );
    expect(outcomes).toEqual(["stored", "unchanged"]);
    const [catalog] = await rowsOf(store, "catalogs");
    expect(catalog).toMatchObject({
      version: "2",
      code_id: "b",
      job_id: "j",
      environment: "staging",
      producer: null,
      transaction_uuid: "22222222-2222-4222-8222-222222222222",
      producer_timestamp: "2026-11-20T11:00:00.000Z",
    });
    expect(await nodeRow(store, "web")).toMatchObject({
      catalog_timestamp: "2026-11-20T11:00:01.000Z",
      catalog_environment: "staging",
    });
    expect(await fieldOf(store, "resources", "environment")).toEqual(["staging", "staging"]);
  });
});

describe("replacing", () => {
  it("facts deletes those that were not sent again, and their leaves", async () => {
    await submitted(
      store,
      a.facts("web", { producer_timestamp: at("10:00:00"), values: { kept: 1, gone: { deep: [1, 2] }, other: "x" } }),
      a.facts("web", { producer_timestamp: at("11:00:00"), values: { kept: 2, fresh: true } }),
    );
    expect(await fieldOf(store, "facts", "name")).toEqual(["fresh", "kept"]);
    expect(await fieldOf(store, "fact_contents", "path")).toEqual(['["fresh"]', '["kept"]']);
    expect(await fieldOf(store, "facts", "value", ["=", "name", "kept"])).toEqual(["2"]);
  });

  it("facts distinguishes keys that look alike in an encoded path", async () => {
    const values = { f: { '"12"': "quoted", "12": "digits", "": "empty", "a#~b": "delimiter" }, l: ["first"] };
    await submitted(store, a.facts("web", { values }));
    expect(await fieldOf(store, "fact_contents", "path")).toEqual([
      '["f",""]',
      '["f","12"]',
      String.raw`["f","\"12\""]`,
      '["f","a#~b"]',
      '["l",0]',
    ]);
  });

  it("facts leaves their paths until garbage collection (reference/lifecycle.md §6)", async () => {
    await submitted(
      store,
      a.facts("web", { producer_timestamp: at("10:00:00"), values: { gone: 1 } }),
      a.facts("web", { producer_timestamp: at("11:00:00"), values: { fresh: 1 } }),
    );
    expect(await fieldOf(store, "fact_paths", "name")).toEqual(["fresh", "gone"]);
  });

  it("a catalog deletes its old resources and edges", async () => {
    await submitted(
      store,
      a.catalog("web", { producer_timestamp: at("10:00:00") }),
      a.catalog("web", {
        producer_timestamp: at("11:00:00"),
        resources: [classResource(), fileResource({ title: "/tmp/y" })],
        edges: [edge({ target: { type: "File", title: "/tmp/y" }, relationship: "before" })],
      }),
    );
    expect(await fieldOf(store, "resources", "title")).toEqual(["/tmp/y", "Main"]);
    expect(await rowsOf(store, "edges")).toEqual([
      {
        certname: "web",
        relationship: "before",
        source_type: "Class",
        source_title: "Main",
        target_type: "File",
        target_title: "/tmp/y",
      },
    ]);
  });

  it("a catalog of one node keeps the resources of others, shared ones included", async () => {
    await submitted(
      store,
      a.catalog("web", { producer_timestamp: at("10:00:00") }),
      a.catalog("db", { producer_timestamp: at("10:00:00") }),
      a.catalog("web", { producer_timestamp: at("11:00:00"), resources: [], edges: [] }),
    );
    expect(await fieldOf(store, "resources", "certname")).toEqual(["db", "db"]);
    expect(await fieldOf(store, "edges", "certname")).toEqual(["db"]);
  });

  it("a catalog by one whose resources have other files and lines shows these", async () => {
    await submitted(
      store,
      a.catalog("web", {
        producer_timestamp: at("10:00:00"),
        resources: [fileResource({ file: "/a.pp", line: 1 })],
        edges: [],
      }),
      a.catalog("web", {
        producer_timestamp: at("11:00:00"),
        resources: [fileResource({ file: "/b.pp", line: 2 })],
        edges: [],
      }),
    );
    expect(await rowsOf(store, "resources", ["extract", ["file", "line"]])).toEqual([{ file: "/b.pp", line: 2 }]);
  });

  it("inputs deletes all old ones", async () => {
    await submitted(
      store,
      a.inputs("web", {
        producer_timestamp: at("10:00:00"),
        inputs: [
          ["hiera", "a"],
          ["hiera", "b"],
        ],
      }),
      a.inputs("web", { producer_timestamp: at("11:00:00"), inputs: [["function", "c"]] }),
    );
    expect(await rowsOf(store, "catalog_inputs", ["extract", "inputs"])).toEqual([{ inputs: [["function", "c"]] }]);
  });

  it.each([[null], [[]]])(
    "inputs by %j changes nothing and creates no node (reference/commands.md §3.5)",
    async (inputs) => {
      await submitted(
        store,
        a.inputs("web", { producer_timestamp: at("10:00:00"), inputs: [["hiera", "a"]] }),
        a.inputs("web", { producer_timestamp: at("11:00:00"), inputs }),
        a.inputs("unknown", { producer_timestamp: at("11:00:00"), inputs }),
      );
      expect(await fieldOf(store, "catalog_input_contents", "name")).toEqual(["a"]);
      expect(await fieldOf(store, "nodes", "certname")).toEqual(["web"]);
    },
  );
});

const withPackages = (hour: string, packages: string[][] | undefined | null): Submission =>
  a.facts("web", {
    producer_timestamp: at(hour),
    values: { hour },
    ...(packages === undefined ? {} : { package_inventory: packages }),
  });
const installed = (): Promise<string[]> => fieldOf(store, "package_inventory", "package_name");

describe("packages", () => {
  it.each([
    ["absent", undefined],
    ["null", null],
    ["empty", []],
  ])("that are %s delete those that were stored (reference/commands.md §4.2)", async (_what, packages) => {
    await submitted(store, withPackages("10:00:00", [["ntp", "4", "apt"]]), withPackages("11:00:00", packages));
    expect(await installed()).toEqual([]);
  });

  it("are replaced as a set", async () => {
    await submitted(
      store,
      withPackages("10:00:00", [
        ["ntp", "4", "apt"],
        ["vim", "9", "apt"],
      ]),
      withPackages("11:00:00", [
        ["vim", "9", "apt"],
        ["vim", "9", "apt"],
        ["zsh", "5", "apt"],
      ]),
    );
    expect(await installed()).toEqual(["vim", "zsh"]);
  });

  const tools = [
    ["vim", "9", "apt"],
    ["zsh", "5", "apt"],
  ];

  it("are as sent last, in whichever order nodes send the same and others", async () => {
    for (const [hour, packages] of [
      ["10:00:00", tools],
      ["11:00:00", tools],
      ["12:00:00", tools.slice(1)],
      ["13:00:00", tools],
      ["14:00:00", tools],
    ] as const) {
      await submitted(store, withPackages(hour, [...packages]));
      expect(await installed()).toEqual(packages.map(([name]) => name));
    }
    expect(await fieldOf(store, "facts", "value")).toEqual(["14:00:00"]);
  });

  it("are stored again for a node that was deleted and returns", async () => {
    await submitted(store, withPackages("10:00:00", tools));
    await store.lifecycle.deleteNode("web");
    expect(await installed()).toEqual([]);
    await submitted(store, withPackages("11:00:00", tools));
    expect(await installed()).toEqual(["vim", "zsh"]);
  });

  it("are deleted once no node has them, unless they are sent again (reference/lifecycle.md §6)", async () => {
    const other = a.facts("db", { package_inventory: [["ntp", "4", "apt"]] });
    const ours = ["10:00:00", "11:00:00", "12:00:00"].map((hour, turn) =>
      withPackages(hour, [
        ["ntp", "4", "apt"],
        ["vim", String(turn % 2), "apt"],
      ]),
    );
    const known = (): Promise<string[]> => fieldOf(store, "packages", "version", ["=", "package_name", "vim"]);
    await submitted(store, other, ...ours.slice(0, 1));
    expect(await known()).toEqual(["0"]);
    await submitted(store, ...ours.slice(1, 2));
    expect(await known()).toEqual(["1"]);
    await submitted(store, ...ours.slice(2));
    expect(await known()).toEqual(["0"]);
    await submitted(store, withPackages("13:00:00", []));
    expect(await fieldOf(store, "packages", "package_name")).toEqual(["ntp"]);
  });
});

describe("the certname in the payload", () => {
  it("is stored, not that of the envelope (reference/commands.md §1.1)", async () => {
    await store.submit({ ...a.facts("payload"), certname: "envelope" });
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["payload"]);
  });
});

describe("commands without a time of their own", () => {
  it.each<[string, Submission]>([
    ["deactivate node", command("deactivate node", { certname: "web" }, time("2026-11-20T10:00:00Z"))],
    [
      "configure expiration",
      command("configure expiration", { certname: "web", expire: { facts: false } }, time("2026-11-20T10:00:00Z")),
    ],
  ])("%s gets the time of its arrival", async (_name, submission) => {
    await store.submit(submission);
    const row = await nodeRow(store, "web");
    expect(row?.["deactivated"] ?? row?.["expires_facts_updated"]).toBe("2026-11-20T10:00:00.000Z");
  });
});
