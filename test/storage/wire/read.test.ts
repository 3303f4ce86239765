import { describe, expect, it } from "vitest";
import { exactNumber, parseJson } from "#storage/json.ts";
import { timestampOfMillis } from "#storage/time.ts";
import { readCommand } from "#storage/wire/read.ts";
import {
  RECEIVED,
  UUID,
  catalog,
  edge,
  facts,
  fileResource,
  classResource,
  inputs,
  log,
  read,
  report,
  without,
} from "./payloads.ts";

const sent = 1_704_164_645_678_000n;

describe("replace catalog", () => {
  it("reads the newest version", () => {
    expect(
      read("replace catalog", 9, without(catalog({ extra: 1 }), "environment", "transaction_uuid", "job_id")),
    ).toMatchObject({
      certname: "web-01",
      version: "1",
      environment: null,
      transaction_uuid: null,
      catalog_uuid: UUID,
      job_id: null,
      producer_timestamp: sent,
      resources: [
        { type: "Class", title: "Main", file: null, line: null, hash: "a8076dc406678edf44cc7970e445be0c4255fcf1" },
        { type: "File", title: "/tmp/x", parameters: { ensure: "file" } },
      ],
    });
  });

  it("reads a string that holds the JSON", () => {
    expect(read("replace catalog", 9, JSON.stringify(catalog()))).toEqual(read("replace catalog", 9, catalog()));
  });

  it("drops unknown keys and aliases", () => {
    const resource = fileResource({ aliases: ["x"], kind: "y" });
    expect(
      Object.keys(read("replace catalog", 9, catalog({ resources: [resource], edges: [] })).resources[0] ?? {}),
    ).toEqual(["type", "title", "exported", "file", "line", "tags", "parameters", "hash", "parameterTexts"]);
  });

  it.each([
    [
      "as they were sent",
      { mode: "0644", ensure: "file" },
      [
        ["ensure", '"file"'],
        ["mode", '"0644"'],
      ],
    ],
    ["as they are stored", { "a\0": ["b\0", 1] }, [["a\ufffd", '["b\ufffd",1]']]],
    ["where there are none", null, []],
  ])("has the texts of parameters %s", (_, parameters, texts) => {
    const [resource] = read(
      "replace catalog",
      9,
      catalog({ resources: [fileResource({ parameters })], edges: [] }),
    ).resources;
    expect(resource?.parameterTexts).toEqual(texts);
  });

  it("puts tags in set order, without repetitions", () => {
    const tags = ["file", "class", "main", "motd", "node", "default", "main"];
    const [resource] = read(
      "replace catalog",
      9,
      catalog({ resources: [fileResource({ tags })], edges: [] }),
    ).resources;
    expect(resource?.tags).toEqual(["class", "main", "motd", "file", "default", "node"]);
  });

  it.each(["a", "_a", "0", "a::b.c-d", "é", "日本", "ß1"])("accepts the tag %s", (tag) => {
    expect(read("replace catalog", 9, catalog({ resources: [fileResource({ tags: [tag] })], edges: [] }))).toBeTruthy();
  });

  it.each([null, undefined])("reads parameters %s as none, but hashes what was sent", (parameters) => {
    const resource = parameters === null ? fileResource({ parameters }) : without(fileResource(), "parameters");
    const payload = catalog({ resources: [{ ...resource, type: "T", title: "x" }], edges: [] });
    expect(read("replace catalog", 9, payload).resources[0]).toMatchObject({
      parameters: {},
      hash: "adb8585f97fec473b39d3d3090071c2cae23e118",
    });
  });

  it("keeps each edge once", () => {
    const edges = [edge(), edge({ relationship: "before" }), edge({ extra: true }), edge()];
    expect(read("replace catalog", 9, catalog({ edges })).edges).toEqual([
      without(edge()),
      edge({ relationship: "before" }),
    ]);
  });

  it("hashes parameters before cleaning them", () => {
    const resources = [classResource({ type: "T", title: "x", parameters: { "a\0": ["b\0", "c\ud800", 1] } })];
    const read9 = read("replace catalog", 9, catalog({ resources, edges: [] }));
    expect(read9.resources[0]?.parameters).toEqual({ "a\ufffd": ["b\ufffd", "c?", 1] });
    const cleaned = [classResource({ type: "T", title: "x", parameters: { "a\ufffd": ["b\ufffd", "c?", 1] } })];
    expect(read9.hash).not.toBe(read("replace catalog", 9, catalog({ resources: cleaned, edges: [] })).hash);
  });

  it.each([
    ["2024-01-02T03:04:05.678Z", sent],
    ["2024-01-02T03:04:05.678901234+00:00", sent + 901n],
    ["2024-01-02", 1_704_153_600_000_000n],
    [1_704_164_645_678, sent],
  ])("accepts the producer timestamp %s", (producer_timestamp, expected) => {
    expect(read("replace catalog", 9, catalog({ producer_timestamp })).producer_timestamp).toBe(expected);
  });

  it("writes UUIDs as the database would", () => {
    const transaction_uuid = `{${UUID.toUpperCase().replaceAll("-", "")}}`;
    expect(read("replace catalog", 9, catalog({ transaction_uuid })).transaction_uuid).toBe(UUID);
  });
});

describe("replace facts", () => {
  it("hashes as PuppetDB does, with any other keys", () => {
    const payload = facts({
      certname: "hashprobe-c1",
      timestamp: "ignored",
      values: parseJson('{"z":true,"os":{"name":"Debian","family":"Debian"},"a":1,"float":1.5,"list":[1,"two",null]}'),
      package_inventory: [
        ["zlib", "1.2", "apt"],
        ["bash", "5.1", "apt"],
        ["zlib", "1.2", "apt"],
      ],
    });
    const read5 = read("replace facts", 5, payload);
    expect(read5.hash).toBe("8eace5037bab0af09307ceef7f0848a2b3e4e1b4");
    expect(read5.package_inventory).toEqual([
      ["zlib", "1.2", "apt"],
      ["bash", "5.1", "apt"],
    ]);
    expect(read5).not.toHaveProperty("timestamp");
  });

  it.each([null, undefined, []])("reads package_inventory %j as empty", (package_inventory) => {
    const payload = package_inventory === undefined ? facts() : facts({ package_inventory });
    expect(read("replace facts", 5, payload).package_inventory).toEqual([]);
  });

  it("keeps numbers exact and replaces what cannot be stored", () => {
    const values = { big: exactNumber("123456789012345678901234567890"), one: exactNumber("1.0"), "n\0": "a\0b" };
    expect(JSON.stringify(read("replace facts", 5, facts({ values })).values)).toBe(
      '{"big":123456789012345678901234567890,"one":1.0,"n\ufffd":"a\ufffdb"}',
    );
  });

  it("keeps a key named __proto__", () => {
    const values = parseJson('{"__proto__":{"a\\u0000":1}}');
    expect(JSON.stringify(read("replace facts", 5, facts({ values })).values)).toBe('{"__proto__":{"a\ufffd":1}}');
  });

  it("leaves unwanted facts out before hashing", () => {
    const input = { command: "replace facts", version: 5, received: RECEIVED } as const;
    const payload = facts({ values: { kernel: "Linux", secret: 1 } });
    const filtered = readCommand({ ...input, payload, keepFact: (name) => name !== "secret" });
    expect(filtered).toEqual(readCommand({ ...input, payload: facts() }));
  });
});

describe("store report", () => {
  it("reads the newest version", () => {
    expect(read("store report", 8, report())).toMatchObject({
      certname: "web-01",
      type: "agent",
      start_time: 1_704_164_645_678_901n,
      end_time: 1_704_164_646_000_000n,
      resources: [{ line: 3, timestamp: 1_704_164_645_000_000n, events: [{ name: null, timestamp: sent }] }],
    });
  });

  it("hashes the transaction_uuid as it was spelled", () => {
    const payload = {
      certname: "hashprobe-c1",
      configuration_version: "1700000000",
      producer_timestamp: "2024-01-02T03:04:10.000Z",
      transaction_uuid: null,
    };
    expect(read("store report", 8, report(payload)).hash).toBe("380eb6343b48b4a00fee5a751f9d229a18e55a37");
    const upper = read("store report", 8, report({ transaction_uuid: UUID.toUpperCase() }));
    expect(upper.transaction_uuid).toBe(UUID);
    expect(upper.hash).not.toBe(read("store report", 8, report()).hash);
  });

  it("returns logs, metrics and resources as they were sent", () => {
    const logs = [log({ message: "a\0b", tags: null })];
    const metrics = [{ category: "time", name: "total", value: exactNumber("1.0") }];
    const read8 = read("store report", 8, report({ logs, metrics }));
    expect(read8.logs).toEqual([log({ message: "a\ufffdb", tags: null })]);
    expect(JSON.stringify(read8.metrics)).toBe('[{"category":"time","name":"total","value":1.0}]');
    expect(read8.resources_as_sent).toEqual(report()["resources"]);
  });

  it("reads null as the empty list, but returns it as null", () => {
    expect(read("store report", 8, report({ logs: null, metrics: null, resources: null }))).toMatchObject({
      logs: null,
      metrics: null,
      resources: [],
      resources_as_sent: null,
    });
  });
});

describe("the other commands", () => {
  it("replace catalog inputs: distinct and sorted", () => {
    const pairs = [
      ["hiera", "b"],
      ["hiera", "a"],
      ["hiera", "b"],
    ];
    expect(read("replace catalog inputs", 1, inputs({ certname: "hashprobe-l2", inputs: pairs, extra: 1 }))).toEqual({
      certname: "hashprobe-l2",
      producer_timestamp: sent,
      catalog_uuid: UUID,
      inputs: [
        ["hiera", "a"],
        ["hiera", "b"],
      ],
      hash: "b9731b5c7f4cd758f7692e1d3e728d1797be2917",
    });
  });

  it.each([inputs({ inputs: null }), inputs({ inputs: [] }), without(inputs(), "inputs")])(
    "replace catalog inputs: no operation %#",
    (payload) => {
      expect(read("replace catalog inputs", 1, payload).inputs).toEqual([]);
    },
  );

  it("configure expiration: the receipt time when there is none", () => {
    expect(read("configure expiration", 1, { certname: "web-01", expire: { facts: false } })).toEqual({
      certname: "web-01",
      expire: { facts: false },
      producer_timestamp: timestampOfMillis(RECEIVED.getTime()),
    });
  });

  it("deactivate node", () => {
    expect(read("deactivate node", 3, { certname: "web-01", producer_timestamp: "2015-01-01" })).toEqual({
      certname: "web-01",
      producer_timestamp: 1_420_070_400_000_000n,
    });
  });
});
