import { describe, expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { type Json, type JsonObject } from "#storage/json.ts";
import { x, tag, web, db, host, short, uuid, by, hidden, judge, pseudonyms } from "../judged.ts";
import { SALT } from "../site.ts";

const value = (text: string): string => x("parameter-value", text);

describe("a catalog", () => {
  judge("replace catalog", (part) => part as JsonObject, [
    ["certname and producer", { certname: web, producer: db }, hidden({ certname: host, producer: x("node", db) })],
    ["no producer, no environment", { producer: null, environment: null }, {}],
    ["environment", { environment: "qa" }, by("full moderate", { environment: x("environment", "qa") })],
    [
      "identifiers are one, however they are written",
      { transaction_uuid: uuid, catalog_uuid: uuid.toUpperCase() },
      by("full", { transaction_uuid: x("uuid", uuid), catalog_uuid: x("uuid", uuid) }),
    ],
    ["versions that are numbers or hashes", { version: "1700000000", code_id: "5d5f20e7", job_id: null }, {}],
    [
      "versions that say more",
      { version: `qa@${web}` },
      { ...by("full moderate", { version: x("version", `qa@${web}`) }), low: { version: `qa@${host}` } },
    ],
    ["time", { producer_timestamp: "2026-11-20T12:00:00.000Z" }, {}],
  ]);

  it("loses keys that the format does not define", () => {
    const document = { certname: web, api_version: 1, resources: [{ type: "A", aliases: ["b"], kind: "c" }] };
    const after = createAnonymizer({ profile: "low", salt: SALT }).apply("replace catalog", document);
    expect(after).toEqual({ certname: host, resources: [{ type: "A" }] });
  });
});

describe("a resource", () => {
  judge("replace catalog", (part) => ({ resources: [part] }), [
    [
      "of a built-in type",
      { type: "File", title: "/etc/motd", exported: true },
      {
        full: { type: x("type", "File"), title: x("title", "/etc/motd"), exported: true },
        moderate: { type: "File", title: x("title", "/etc/motd"), exported: true },
      },
    ],
    [
      "of a type whose titles are kept",
      { type: "Service", title: `sshd@${db}` },
      {
        full: { type: x("type", "Service"), title: x("title", `sshd@${db}`) },
        ...by("moderate low", { type: "Service", title: `sshd@${x("node", db)}` }),
      },
    ],
    [
      "of a type of the site's own",
      { type: "Acme::Pump", title: "web-01" },
      {
        ...by("full moderate", { type: x("type", "Acme::Pump"), title: x("title", "web-01") }),
        low: { type: "Acme::Pump", title: short },
      },
    ],
    [
      "where it was declared",
      { type: "File", file: "/site.pp", line: 4711 },
      {
        full: {
          type: x("type", "File"),
          file: x("file", "/site.pp"),
          line: pseudonyms.number("line", 4711) as number,
        },
        moderate: { type: "File", file: x("file", "/site.pp"), line: 4711 },
      },
    ],
    ["nowhere declared", { file: null, line: null, parameters: null }, {}],
    [
      "tags: built-in types stay in moderate, other words of known modules do not",
      { type: "Apache::Vhost", tags: ["apache::vhost", "apache", "vhost", "file", "apache-acme", "mysqlacme", web] },
      {
        full: {
          type: x("type", "Apache::Vhost"),
          tags: ["Apache::Vhost", "Apache", "Vhost", "File", "Apache-acme", "Mysqlacme", "Web-01.example.com"].map(tag),
        },
        moderate: {
          type: "Apache::Vhost",
          tags: [
            "apache::vhost",
            "apache",
            "vhost",
            "file",
            ...["Apache-acme", "Mysqlacme", "Web-01.example.com"].map(tag),
          ],
        },
        low: {
          type: "Apache::Vhost",
          tags: ["apache::vhost", "apache", "vhost", "file", "apache-acme", "mysqlacme", host],
        },
      },
    ],
  ]);

  it("has the tag of its type", () => {
    const anonymizer = createAnonymizer({ profile: "full" });
    const { resources } = anonymizer.apply("replace catalog", {
      resources: [{ type: "Acme::Pump", tags: ["acme::pump"] }],
    }) as { resources: [{ type: string; tags: string[] }] };
    expect(resources[0].tags).toEqual([resources[0].type.toLowerCase()]);
  });
});

describe("parameters", () => {
  judge("replace catalog", (part) => ({ resources: [{ parameters: part }] }), [
    [
      "names and values",
      { ensure: "present", __proto__x: null },
      {
        full: { [x("parameter-name", "ensure")]: value("present"), [x("parameter-name", "__proto__x")]: null },
        ...by("moderate low", { ensure: value("present"), __proto__x: null }),
      },
    ],
    [
      "nested values keep their shape",
      { limits: { low: [1.5, ["x", { y: "" }]], none: {} } },
      {
        full: { [x("parameter-name", "limits")]: nested() },
        ...by("moderate low", { limits: nested() }),
      },
    ],
    [
      "metaparameters keep their names, and name what they named",
      { alias: ["a"], require: "File[/a]", before: ["Service[b]", "Class[Acme::Pump]"], stage: "main" },
      {
        full: {
          alias: [x("title", "a")],
          require: `${x("type", "File")}[${x("title", "/a")}]`,
          before: [`${x("type", "Service")}[${x("title", "b")}]`, `${x("type", "Class")}[${x("title", "Acme::Pump")}]`],
          stage: x("title", "main"),
        },
        moderate: {
          alias: [x("title", "a")],
          require: `File[${x("title", "/a")}]`,
          before: ["Service[b]", `Class[${x("title", "Acme::Pump")}]`],
          stage: "main",
        },
      },
    ],
    ["tags", { tag: ["acme"] }, by("full moderate", { tag: [tag("Acme")] })],
    ["references that are none", { notify: "the web" }, by("full moderate", { notify: x("title", "the web") })],
    [
      "references of another type",
      { notify: 5 },
      hidden({ notify: pseudonyms.number("parameter-value", 5) as number }),
    ],
  ]);

  function nested(): Json {
    return {
      [value("low")]: [pseudonyms.number("parameter-value", 1.5), [value("x"), { [value("y")]: value("") }]],
      [value("none")]: {},
    };
  }
});

describe("an edge", () => {
  const ends = { source: { type: "Stage", title: "main" }, target: { type: "Class", title: "Main" } };
  judge("replace catalog", (part) => ({ edges: [{ ...(part as JsonObject), relationship: "contains" }] }), [
    [
      "its ends are called as the resources are",
      ends,
      {
        full: {
          source: { type: x("type", "Stage"), title: x("title", "main") },
          target: { type: x("type", "Class"), title: x("title", "Main") },
        },
        moderate: { source: ends.source, target: { type: "Class", title: x("title", "Main") } },
      },
    ],
  ]);
});
