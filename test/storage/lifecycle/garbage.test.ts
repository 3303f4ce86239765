import { describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Operation } from "#storage/lifecycle/operation.ts";
import type { Store } from "#storage/store.ts";
import { a, queryRows, everyRow, fieldOf, rowsOf, submitted } from "#test/fixture-store.ts";
import { clean, maintainedStore } from "#test/storage/lifecycle/maintained.ts";
import { classResource, edge, fileResource } from "#test/storage/wire/payloads.ts";

const later = "2026-11-20T12:00:00Z";

/** Data that one node has at first, and that another one keeps. */
const kept: Submission[] = [
  a.facts("db", {
    environment: "kept",
    values: { os: { family: "Debian" }, kernel: "Linux" },
    package_inventory: [["ntp", "1", "apt"]],
  }),
  a.catalog("db", { environment: "kept" }),
];

/** A field of all rows, sorted; the rows of fact_names are names themselves. */
async function namesIn(store: Store, entity: string, field = "name"): Promise<string[]> {
  if (entity !== "fact_names") return fieldOf(store, entity, field);
  return (await queryRows(store, { of: everyRow(entity) })).map(String).sort();
}

describe("unreferenced data stay listed until they are collected (reference/lifecycle.md §6)", () => {
  it.each<
    [operation: Operation, entity: string, field: string, commands: Submission[], gone: string[], left: string[]]
  >([
    [
      "gc_catalogs",
      "environments",
      "name",
      [a.facts("web", { environment: "gone" }), a.facts("web", { environment: "other", producer_timestamp: later })],
      ["gone"],
      ["kept", "other"],
    ],
    [
      "gc_catalogs",
      "environments",
      "name",
      // A report that is not the latest any more is enough.
      [
        a.report("web", { environment: "of a report", producer_timestamp: "2026-11-20T11:00:00Z" }),
        a.report("web", { environment: "of a later one", producer_timestamp: later }),
      ],
      [],
      ["kept", "of a later one", "of a report"],
    ],
    [
      "gc_fact_paths",
      "fact_names",
      "name",
      [a.facts("web", { values: { was: 1, list: [1] } }), a.facts("web", { values: {}, producer_timestamp: later })],
      ["list", "was"],
      ["kernel", "os"],
    ],
    [
      "gc_fact_paths",
      "fact_paths",
      "path",
      [
        a.facts("web", { values: { kernel: 5, os: { family: "Debian", name: "x" } } }),
        a.facts("web", { values: {}, producer_timestamp: later }),
      ],
      ['["kernel"]', '["os","name"]'],
      ['["kernel"]', '["os","family"]'],
    ],
    [
      "gc_fact_paths",
      "fact_names",
      "name",
      // Structured at first, empty or a scalar later: the path of the structure is not theirs.
      [
        a.facts("web", { values: { plain: { deep: [{}] }, empty: [1] } }),
        a.facts("web", { values: { plain: 1, empty: [] }, producer_timestamp: later }),
      ],
      ["empty"],
      ["kernel", "os", "plain"],
    ],
  ])("%s: %s by %s", async (operation, entity, field, commands, gone, left) => {
    await using maintained = await maintainedStore();
    const { store, events } = maintained;
    await submitted(store, ...kept, ...commands);
    const listed = (): Promise<string[]> => namesIn(store, entity, field);
    expect(await listed()).toEqual([...left, ...gone].sort());
    // No other operation takes it.
    const others = (["gc_catalogs", "gc_fact_paths", "gc_packages"] as const).filter((name) => name !== operation);
    await clean(store, "expire_nodes", "purge_nodes", "purge_reports", ...others);
    expect(await listed()).toEqual([...left, ...gone].sort());
    await clean(store, operation);
    expect(await listed()).toEqual(left);
    expect(events.filter(({ kind }) => kind === "failed")).toEqual([]);
  });

  // A fact set takes its last packages with it when it is replaced, not when its node is deleted.
  it("gc_packages: packages of a node that was deleted", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    const packages = ["ntp", "vim"].map((name) => [name, "1", "apt"]);
    await submitted(store, ...kept, a.facts("web", { package_inventory: packages }));
    await store.lifecycle.deleteNode("web");
    const listed = (): Promise<string[]> => fieldOf(store, "packages", "package_name");
    await clean(store, "gc_catalogs", "gc_fact_paths");
    expect(await listed()).toEqual(["ntp", "vim"]);
    await clean(store, "gc_packages");
    expect(await listed()).toEqual(["ntp"]);
  });

  it("`other` collects environments and facts", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, ...kept, a.facts("web", { environment: "gone", values: { was: 1 } }));
    await submitted(store, a.facts("web", { environment: "kept", values: {}, producer_timestamp: later }));
    await clean(store, "other");
    expect(await fieldOf(store, "environments", "name")).toEqual(["kept"]);
    expect(await namesIn(store, "fact_names")).toEqual(["kernel", "os"]);
  });

  it("producers are never collected", async () => {
    await using maintained = await maintainedStore();
    const { store } = maintained;
    await submitted(store, a.facts("web", { producer: "old" }));
    await store.lifecycle.deleteNode("web");
    await clean(store, "gc_packages", "other", "gc_catalogs", "gc_fact_paths");
    expect(await fieldOf(store, "producers", "name")).toEqual(["old"]);
  });
});

it("collected data that are sent again are stored as new ones", async () => {
  await using maintained = await maintainedStore();
  const { store } = maintained;
  const file = fileResource({ title: "/etc/motd", parameters: { content: "hello" } });
  const commands = (certname: string): Submission[] => [
    a.facts(certname, { values: { os: { name: "x" } }, package_inventory: [["vim", "9", "apt"]] }),
    a.catalog(certname, {
      resources: [classResource(), file],
      edges: [edge({ target: { type: "File", title: "/etc/motd" } })],
    }),
  ];
  await submitted(store, ...commands("web"), ...kept);
  await store.lifecycle.deleteNode("web");
  await clean(store, "gc_packages", "gc_catalogs", "gc_fact_paths");
  // Resources that other nodes have are kept.
  expect(await fieldOf(store, "resources", "title")).toEqual(["/tmp/x", "Main"]);
  await submitted(store, ...commands("web"), ...commands("app"));
  for (const certname of ["app", "web"]) {
    const mine = ["=", "certname", certname];
    expect(await rowsOf(store, "resources", ["and", mine, ["=", "type", "File"]])).toMatchObject([
      { title: "/etc/motd", parameters: { content: "hello" } },
    ]);
    expect(await fieldOf(store, "edges", "target_title", mine)).toEqual(["/etc/motd"]);
    expect(await fieldOf(store, "fact_contents", "path", mine)).toEqual(['["os","name"]']);
    expect(await fieldOf(store, "package_inventory", "package_name", mine)).toEqual(["vim"]);
  }
  expect(await rowsOf(store, "resources", ["=", ["parameter", "content"], "hello"])).toHaveLength(2);
});
