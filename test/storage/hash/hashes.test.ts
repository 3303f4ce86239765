import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  archiveFileHash,
  catalogInputsHash,
  factsetHash,
  hashedFact,
  hashedPackage,
  type Package,
  reportHash,
} from "#storage/hash/hashes.ts";
import {
  type HashedEdge,
  type HashedResource,
  hashedCatalog,
  hashedEdge,
  hashedResource,
} from "#storage/hash/catalog-hash.ts";
import { inSetOrder } from "#storage/hash/tag-order.ts";
import { type JsonObject, parseJson } from "#storage/json.ts";
import { parseTimestamp } from "#storage/time.ts";

/** The worked examples of reference/hashing.md §4–8. */

function object(json: string): JsonObject {
  return parseJson(json) as JsonObject;
}

function time(text: string): bigint {
  const parsed = parseTimestamp(text);
  if (parsed === undefined) throw new Error(`no time: ${text}`);
  return parsed;
}

describe("resource hash", () => {
  it.each([
    ["Class", "Main", "{}", "a8076dc406678edf44cc7970e445be0c4255fcf1"],
    ["Stage", "main", '{"name":"main"}', "294d41a2ccbf8965bc2284d565276041de82a590"],
    ["File", "/etc/motd", '{"n":1.0,"ensure":"file","content":"hi"}', "1f7ef2e20a6866797a49ce21c9d0d323b46d7e25"],
    ["T", "x", "null", "adb8585f97fec473b39d3d3090071c2cae23e118"],
    [
      "File",
      "/etc/motd",
      String.raw`{"content":"héllo\n\u001f/\u007f","ensure":"file","mode":"0644"}`,
      "b98d3d98962074b8cec7b778f9e7ea611820011b",
    ],
  ])("%s[%s] %s", (type, title, parameters, expected) => {
    expect(hashedResource({ type, title, parameters: parseJson(parameters) }, { type, title, tags: [] }).hash).toBe(
      expected,
    );
  });
});

const STAGE = `{"type":"Stage","title":"main","exported":false,"file":null,"line":null,"tags":["stage"],"parameters":{"name":"main"}}`;
const MAIN = `{"type":"Class","title":"Main","exported":false,"tags":["main","class"],"parameters":{},"kind":"class"}`;
const MOTD = `{"type":"File","title":"/etc/motd","exported":false,"file":"/a.pp","line":3,"aliases":["m"],
  "tags":["file","class","main","motd","node","default"],"parameters":{"ensure":"file","content":"hi","n":1.0}}`;
const STAGE_MAIN = `{"source":{"type":"Stage","title":"main"},"target":{"type":"Class","title":"Main"},"relationship":"contains"}`;
const MAIN_MOTD = `{"relationship":"contains","target":{"type":"File","title":"/etc/motd"},"source":{"title":"Main","type":"Class"}}`;

const hashed = (resource: JsonObject): HashedResource => {
  const { type, title, tags } = resource as { type: string; title: string; tags: string[] };
  return hashedResource(resource, { type, title, tags: inSetOrder(tags) });
};
const edgeOf = (sent: JsonObject): HashedEdge => hashedEdge(sent, sent as unknown as Parameters<typeof hashedEdge>[1]);
const resources = (...texts: string[]): HashedResource[] => texts.map(object).map(hashed);
const edges = (...texts: string[]): HashedEdge[] => texts.map(object).map(edgeOf);

const edge = (source: string, target: string, relationship: string, more = ""): string =>
  `{"source":{"type":"Class","title":"${source}"},"target":{"type":"Class","title":"${target}"},"relationship":"${relationship}"${more}}`;
const catalogHash = (certname: string, resourceParts: HashedResource[], edgeParts: HashedEdge[]): string | undefined =>
  hashedCatalog(
    certname,
    resourceParts.map((part) => ({ hashed: part })),
    edgeParts.map((part) => ({ hashed: part })),
  )?.hash;
const textOf = (one: string): string => edgeOf(object(one)).text;

describe("catalog hash", () => {
  const expected = "bece2e4dda62d080d74323a90c542a824f54b2f9";

  it("is the recorded one", () => {
    const hash = catalogHash("hashprobe-c1", resources(STAGE, MAIN, MOTD), edges(STAGE_MAIN, MAIN_MOTD));
    expect(hash).toBe(expected);
  });

  it("is returned with those of its resources", () => {
    expect(resources(STAGE, MAIN, MOTD).map(({ hash }) => hash)).toEqual([
      "294d41a2ccbf8965bc2284d565276041de82a590",
      "a8076dc406678edf44cc7970e445be0c4255fcf1",
      "1f7ef2e20a6866797a49ce21c9d0d323b46d7e25",
    ]);
  });

  it("does not depend on order or on repeated edges", () => {
    const hash = catalogHash("hashprobe-c1", resources(MOTD, MAIN, STAGE), edges(MAIN_MOTD, STAGE_MAIN, MAIN_MOTD));
    expect(hash).toBe(expected);
  });

  it("covers the ends, the relationship and other keys of each edge", () => {
    const others = [
      edge("a", "b", "before"),
      edge("a", "b", "contains"),
      edge("a", "c", "before"),
      edge("b", "a", "before"),
    ];
    const more = [edge("a", "b", "before", ',"z":1'), edge("a", "b", "before", ',"y":1')];
    const ends = ["a", "b", "c"].map((title) => MAIN.replace('"Main"', JSON.stringify(title)));
    const hash = catalogHash("x", resources(...ends), edges(...others, ...more));
    expect(catalogHash("x", resources(...ends.toReversed()), edges(...more, ...others.toReversed(), ...more))).toBe(
      hash,
    );
    for (const left of [...others, ...more]) {
      const rest = [...others, ...more].filter((one) => one !== left);
      expect(catalogHash("x", resources(...ends), edges(...rest))).not.toBe(hash);
    }
    // Sorted by title before type, and by the canonical texts where all of these are the same.
    const sorted = [
      ...[textOf(more[1] ?? ""), textOf(more[0] ?? ""), textOf(others[0] ?? "")].toSorted(),
      ...others.slice(1).map(textOf),
    ];
    const resourceTexts = resources(...ends).map((resource) => resource.text);
    const whole = `{"certname":"x","edges":[${sorted.join(",")}],"resources":[${resourceTexts.join(",")}]}`;
    expect(hash).toBe(createHash("sha1").update(whole).digest("hex"));
  });

  it("distinguishes a file that is null from an absent one", () => {
    const { file: _, ...withoutFile } = object(STAGE);
    const hash = catalogHash("hashprobe-c1", [hashed(withoutFile), ...resources(MAIN)], []);
    expect(hash).not.toBe(catalogHash("hashprobe-c1", resources(STAGE, MAIN), []));
  });
});

describe("factset hash", () => {
  const values = object('{"z":true,"os":{"name":"Debian","family":"Debian"},"a":1,"float":1.5,"list":[1,"two",null]}');
  const content = {
    certname: "hashprobe-c1",
    environment: "production",
    facts: Object.entries(values).map(([name, value]) => hashedFact(name, value)),
  };

  it("covers the package inventory, if there is one", () => {
    const packages: Package[] = [
      ["zlib", "1.2", "apt"],
      ["bash", "5.1", "apt"],
      ["zlib", "1.2", "apt"],
    ];
    expect(factsetHash({ ...content, packages: [] })).toBe("31a5fcb4a5362fa837a0a0388523eb63a1c47476");
    expect(factsetHash({ ...content, packages: packages.map(hashedPackage) })).toBe(
      "8eace5037bab0af09307ceef7f0848a2b3e4e1b4",
    );
  });
});

describe("other hashes", () => {
  it("report", () => {
    const report = {
      certname: "hashprobe-c1",
      configuration_version: "1700000000",
      end_time: time("2024-01-02T04:04:06+01:00"),
      producer_timestamp: time("2024-01-02T03:04:10.000Z"),
      puppet_version: "8.0.0",
      report_format: 12,
      start_time: time("2024-01-02T03:04:05.678901Z"),
      transaction_uuid: null,
    };
    expect(reportHash(report)).toBe("380eb6343b48b4a00fee5a751f9d229a18e55a37");
  });

  it("catalog inputs", () => {
    const inputs = [
      ["hiera", "b"],
      ["hiera", "a"],
      ["hiera", "b"],
    ] as const;
    expect(catalogInputsHash("hashprobe-l2", inputs)).toBe("b9731b5c7f4cd758f7692e1d3e728d1797be2917");
  });

  it("names of files", () => {
    expect(archiveFileHash(time("2024-01-02T03:04:05.678901Z"))).toBe("210cd6a8af0ca5def6b3adfbb12999ae8a351354");
  });
});
