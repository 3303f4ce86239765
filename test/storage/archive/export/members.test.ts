import { describe, expect, it } from "vitest";
import { type ExportOptions, exportMembers } from "#storage/archive/export/members.ts";
import { archiveFileHash } from "#storage/hash/hashes.ts";
import { type Json, type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, populatedStore, submitted, time } from "#test/fixture-store.ts";
import * as payloads from "#test/storage/wire/payloads.ts";

const HASH = /-[0-9a-f]{40}/;

/** The members of an export as name and text, below the directory. */
async function exported(store: Store, options: Partial<ExportOptions> = {}): Promise<[string, string][]> {
  const members: [string, string][] = [];
  for await (const { name, body } of exportMembers(store, { directory: "svc-bak", ...options })) {
    expect(name.startsWith("svc-bak/")).toBe(true);
    members.push([name.slice("svc-bak/".length), body.toString()]);
  }
  return members;
}

/** The documents of an export by name, hashes of times left out of these. */
async function documents(store: Store, options: Partial<ExportOptions> = {}): Promise<Record<string, JsonObject>> {
  const members = await exported(store, options);
  return Object.fromEntries(members.map(([name, text]) => [name.replace(HASH, ""), parseJson(text) as JsonObject]));
}

async function holding(...submissions: readonly Submission[]): Promise<Store & AsyncDisposable> {
  const store = await emptyStore();
  await submitted(store, ...submissions);
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

/** Names sorted within their folders, whose order stays: within these there is none. */
function inFolders(names: readonly string[]): string[] {
  const folders = Map.groupBy(names, (name) => name.split("/", 1)[0]);
  return [...folders.values()].flatMap((folder) => folder.sort());
}

function inOrder(documents: readonly JsonObject[]): JsonObject[] {
  return documents.toSorted((one, other) => (stringifyJson(one) < stringifyJson(other) ? -1 : 1));
}

describe("an export", () => {
  it("has the metadata first, then the documents of every node in PuppetDB's order of kinds", async () => {
    const store = await populatedStore();
    const names = (await exported(store)).map(([name]) => name);
    expect(inFolders(names.map((name) => name.replace(HASH, "")))).toEqual([
      "export-metadata.json",
      "configure_expiration/beta.json",
      ...["alpha", "beta", "delta"].map((name) => `catalogs/${name}.json`),
      ...["alpha", "alpha", "beta", "delta", "epsilon", "gamma"].map((name) => `reports/${name}.json`),
      ...["alpha", "beta", "delta", "gamma"].map((name) => `facts/${name}.json`),
      "catalog_inputs/alpha.json",
    ]);
    expect(names).toContain(`configure_expiration/beta-${archiveFileHash(time("2026-11-20T11:00:00Z"))}.json`);
    await store.close();
  });

  it("has metadata with its time and the versions of its commands", async () => {
    await using store = await holding();
    expect((await exported(store)).map(([, text]) => text)).toEqual([
      `{
  "timestamp" : "2026-11-21T00:00:00.000Z",
  "command_versions" : {
    "configure_expiration" : 1,
    "replace_catalog" : 9,
    "store_report" : 8,
    "replace_facts" : 5,
    "replace_catalog_inputs" : 1
  }
}`,
    ]);
  });

  it("has documents with PuppetDB's keys in PuppetDB's order (reference/archive.md §2)", async () => {
    const store = await populatedStore();
    const found = await documents(store);
    const keys = (name: string): string => Object.keys(found[name] ?? {}).join(" ");
    expect(keys("configure_expiration/beta.json")).toBe("certname expire producer_timestamp");
    expect(keys("catalogs/alpha.json")).toBe(
      "catalog_uuid producer transaction_uuid producer_timestamp environment code_id version resources certname edges job_id",
    );
    expect(keys("reports/alpha.json")).toBe(
      "catalog_uuid producer transaction_uuid puppet_version noop corrective_change logs report_format start_time " +
        "producer_timestamp type cached_catalog_status end_time status configuration_version environment code_id " +
        "resources noop_pending certname metrics job_id",
    );
    expect(keys("facts/gamma.json")).toBe("certname producer_timestamp producer environment values");
    expect(keys("catalog_inputs/alpha.json")).toBe("certname producer_timestamp catalog_uuid inputs");
    await store.close();
  });

  it("omits a resource's file and line if they are null", async () => {
    const store = await populatedStore();
    const { resources } = (await documents(store))["catalogs/alpha.json"] ?? {};
    const keys = (resources as JsonObject[]).map((resource) => Object.keys(resource).join(" "));
    expect(new Set(keys)).toEqual(
      new Set(["type title tags exported parameters", "type title tags exported file line parameters"]),
    );
    await store.close();
  });

  it("keeps the digits of numbers", async () => {
    const values = `{"big": 123456789012345678901234567890, "float": 1.0, "deep": {"small": 1.5e-7}}`;
    await using store = await holding(a.facts("n", { values: parseJson(values) }));
    const [, [, text] = ["", ""]] = await exported(store);
    for (const digits of ["123456789012345678901234567890", "1.0", "1.5e-7"]) expect(text).toContain(digits);
  });

  const empty: readonly (readonly [name: string, submission: Submission, document: JsonObject])[] = [
    ["a catalog", a.catalog("n", { resources: [], edges: [] }), { resources: [], edges: [] }],
    ["facts", a.facts("n", { values: {} }), { values: {} }],
    ["a report", a.report("n", { resources: [], logs: [], metrics: [] }), { resources: [], logs: [], metrics: [] }],
    [
      "a report without lists",
      a.report("n", { resources: null, logs: null, metrics: null }),
      { resources: null, logs: null, metrics: null },
    ],
  ];
  it.each(empty)("contains empty documents: %s", async (_name, submission, document) => {
    await using store = await holding(submission);
    expect(Object.values(await documents(store))[1]).toMatchObject(document);
  });

  it("has the resources of a report as they were sent, also those without events", async () => {
    const resources = [
      payloads.reportResource({ resource_title: "/quiet", events: [], corrective_change: true }),
      payloads.reportResource({ resource_title: "/changed", events: [payloads.event({ corrective_change: true })] }),
    ];
    await using store = await holding(a.report("n", { resources: resources as Json[] }));
    expect((await documents(store))["reports/n.json"]?.["resources"]).toEqual(resources);
  });

  it("has every report with its own content, also when there are thousands", async () => {
    const minute = Date.UTC(2026, 10, 20) / 60_000;
    const sent = Array.from({ length: 2500 }, (_, index) => ({
      producer_timestamp: new Date((minute - index) * 60_000).toISOString(),
      configuration_version: String(index),
      logs: index % 7 === 0 ? null : [payloads.log({ message: `größe ${index}` })],
      metrics: index % 5 === 0 ? null : [{ name: "total", value: index, category: "x".repeat(index % 300) }],
    }));
    await using store = await holding();
    await Promise.all(sent.map(async (each) => store.submit(a.report("n", each as Record<string, Json>))));
    const found = (await exported(store)).slice(1).map(([, text]) => parseJson(text) as JsonObject);
    const own = found.map((report) =>
      Object.fromEntries(Object.keys(sent[0] ?? {}).map((key) => [key, report[key] ?? null])),
    );
    expect(inOrder(own)).toStrictEqual(inOrder(parseJson(stringifyJson(sent as unknown as Json)) as JsonObject[]));
  });

  it("has the packages of nodes that sent some", async () => {
    const store = await populatedStore();
    const found = await documents(store);
    const packages = found["facts/alpha.json"]?.["package_inventory"] as Json[];
    expect(new Set(packages)).toEqual(
      new Set([
        ["ntp", "4.2", "apt"],
        ["vim", "9.0", "apt"],
      ]),
    );
    expect(found["facts/gamma.json"]).not.toHaveProperty("package_inventory");
    await store.close();
  });

  it("has different names for reports of the same node and time", async () => {
    const producer_timestamp = "2026-11-20T10:00:00.123Z";
    await using store = await holding(
      ...["1", "2", "3"].map((version) => a.report("n", { producer_timestamp, configuration_version: version })),
    );
    const members = (await exported(store)).slice(1);
    const names = members.map(([name]) => name);
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toBe(`reports/n-${archiveFileHash(time(producer_timestamp))}.json`);
    for (const name of names) expect(name).toMatch(/^reports\/n-[0-9a-f]{40}\.json$/);
  });

  it.each(["with/slash", 'quo"te', "lf\nin it", "back\\slash", "größe.東京"])(
    "has the facts of a node named %j",
    async (certname) => {
      await using store = await holding(a.facts(certname));
      expect((await documents(store))[`facts/${certname}.json`]).toMatchObject({ certname });
    },
  );

  it("does not contain data that arrived after it began", async () => {
    await using store = await holding(a.facts("early"), a.report("early"));
    const names: string[] = [];
    for await (const { name } of exportMembers(store, { directory: "puppetdb-bak" })) {
      if (names.length === 0) {
        await submitted(store, a.facts("late"), a.report("late"), a.facts("early", { values: { changed: true } }));
      }
      names.push(name);
    }
    expect(names.map((name) => name.replace(HASH, ""))).toEqual([
      "puppetdb-bak/export-metadata.json",
      "puppetdb-bak/reports/early.json",
      "puppetdb-bak/facts/early.json",
    ]);
  });

  it("reports its progress", async () => {
    const store = await populatedStore();
    const progress: string[] = [];
    await exported(store, { onProgress: (done, total) => progress.push(`${done}/${total}`) });
    expect(progress).toEqual(Array.from({ length: 15 }, (_, index) => `${index + 1}/15`));
    await store.close();
  });

  it("is anonymized with its profile, with one name for each node", async () => {
    await using store = await holding(a.facts("secret.example.com"), a.catalog("secret.example.com"));
    const found = await exported(store, { profile: "full", salt: new Uint8Array(32) });
    expect(stringifyJson(found)).not.toContain("secret");
    expect(found.map(([name]) => name.replace(HASH, "").split("/")[0])).toEqual([
      "export-metadata.json",
      "catalogs",
      "facts",
    ]);
    const names = new Set(found.slice(1).map(([, text]) => (parseJson(text) as JsonObject)["certname"]));
    expect(names.size).toBe(1);
    expect(await exported(store, { profile: "full", salt: new Uint8Array(32) })).toEqual(found);
  });

  it("ends when its reader ends or its signal is aborted", async () => {
    await using store = await holding(a.facts("n"));
    for await (const { name } of exportMembers(store, { directory: "svc-bak" })) if (name !== "") break;
    const over = new AbortController();
    over.abort(new Error("enough"));
    const all = exported(store, { signal: over.signal });
    await expect(all).rejects.toThrow("enough");
    expect(await exported(store)).toHaveLength(2);
  });
});
