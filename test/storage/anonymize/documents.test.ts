import { describe, expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import type { TextKind } from "#storage/anonymize/kinds.ts";
import { type ProfileName, profileNames } from "#storage/anonymize/profiles.ts";
import { Pseudonyms } from "#storage/anonymize/pseudonyms.ts";
import type { ArchiveCommandName } from "#storage/archive/contents.ts";
import { exactNumber, type Json, type JsonObject } from "#storage/json.ts";
import { SALT } from "./site.ts";

const pseudonyms = new Pseudonyms(SALT);

/** What replaces a text of a kind. */
const x = (kind: TextKind, text: string): string => pseudonyms.text(kind, text);
const tag = (type: string): string => x("type", type).toLowerCase();

const web = "web-01.example.com";
const db = "db-02.example.com";
const host = x("node", web);
const short = host.slice(0, 10);
const uuid = "5d5f20e7-4771-4528-8102-5c3edb66c946";

/** What comes out; a profile that is not named leaves the document as it was. */
type Outcome = { readonly [P in ProfileName]?: Json };
type Case = readonly [what: string, before: Json, after: Outcome];

/** The same under several profiles. */
const by = (profiles: string, after: Json): Outcome =>
  Object.fromEntries(profiles.split(" ").map((name) => [name, after]));
const hidden = (after: Json): Outcome => by("full moderate low", after);

/** Judges documents of a command, of which each case is the part that `wrap` puts in its place. */
function judge(command: ArchiveCommandName, wrap: (part: Json) => JsonObject, cases: readonly Case[]): void {
  it.each(cases)("%s", (_what, before, after) => {
    for (const profile of profileNames) {
      const anonymizer = createAnonymizer({ profile, salt: SALT, certnames: [web, db] });
      const want = wrap(after[profile] ?? before);
      expect([profile, anonymizer.apply(command, wrap(before))]).toEqual([profile, want]);
    }
  });
}

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

  it("leaves out keys that the format does not have", () => {
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
  const value = (text: string): string => x("parameter-value", text);
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

describe("a report", () => {
  judge("store report", (part) => part as JsonObject, [
    [
      "what is no one's secret",
      { status: "changed", noop: false, puppet_version: "8.1.0", type: "agent", report_format: 12, logs: null },
      {},
    ],
    [
      "its version",
      { configuration_version: "qa-1" },
      by("full moderate", { configuration_version: x("version", "qa-1") }),
    ],
  ]);
});

describe("a resource of a report", () => {
  judge("store report", (part) => ({ resources: [part] }), [
    [
      "containment",
      { containment_path: ["Stage[main]", "Acme", "", "File[/a]", "[odd"] },
      {
        full: {
          containment_path: [
            `${x("type", "Stage")}[${x("title", "main")}]`,
            x("title", "Acme"),
            "",
            `${x("type", "File")}[${x("title", "/a")}]`,
            x("title", "[odd"),
          ],
        },
        moderate: {
          containment_path: ["Stage[main]", x("title", "Acme"), "", `File[${x("title", "/a")}]`, x("title", "[odd")],
        },
      },
    ],
    [
      "an event",
      {
        resource_type: "Package",
        resource_title: "ntp",
        events: [
          { property: "ensure", name: "ensure_changed", old_value: "a", new_value: null, message: "a became b" },
        ],
      },
      {
        full: {
          resource_type: x("type", "Package"),
          resource_title: x("title", "ntp"),
          events: [
            {
              property: x("parameter-name", "ensure"),
              name: x("parameter-name", "ensure_changed"),
              old_value: x("parameter-value", "a"),
              new_value: null,
              message: x("message", "a became b"),
            },
          ],
        },
        ...by("moderate low", {
          resource_type: "Package",
          resource_title: "ntp",
          events: [
            {
              property: "ensure",
              name: "ensure_changed",
              old_value: x("parameter-value", "a"),
              new_value: null,
              message: x("message", "a became b"),
            },
          ],
        }),
      },
    ],
  ]);
});

describe("a log line", () => {
  judge("store report", (part) => ({ logs: [part] }), [
    [
      "message and level",
      { message: "ran", level: "info", tags: ["info"], line: null },
      {
        ...by("full moderate", { message: "???", level: "info", tags: [tag("Info")], line: null }),
        low: { message: "???", level: "info", tags: ["info"], line: null },
      },
    ],
  ]);

  const title = (text: string): string => x("title", text);
  const type = (text: string): string => x("type", text);
  judge("store report", (part) => ({ logs: [{ source: part }] }), [
    ["from a part of the agent", "Puppet", by("full moderate", type("Puppet"))],
    [
      "from a resource",
      "/Stage[main]/Acme/File[/etc/a.conf]/content",
      {
        full: `/${type("Stage")}[${title("main")}]/${title("Acme")}/${type("File")}[${title("/etc/a.conf")}]/${x("parameter-name", "content")}`,
        moderate: `/Stage[main]/${title("Acme")}/File[${title("/etc/a.conf")}]/content`,
      },
    ],
    [
      "from a reference",
      "Class[Acme]",
      { full: `${type("Class")}[${title("Acme")}]`, moderate: `Class[${title("Acme")}]` },
    ],
    ["from a class alone", "/acme", by("full moderate", `/${title("acme")}`)],
    ["from what cannot be taken apart", "/File[a]b/c", by("full moderate", title("/File[a]b/c"))],
    [
      "from a node's resource",
      `//${web}/Acme`,
      { ...by("full moderate", `//${title(web)}/${title("Acme")}`), low: `//${host}/Acme` },
    ],
  ]);
});

describe("a metric", () => {
  judge("store report", (part) => ({ metrics: [part] }), [
    [
      "a time is told by type",
      { category: "time", name: "acme_pump", value: exactNumber("1.0") as number },
      by("full moderate", { category: "time", name: tag("Acme_pump"), value: exactNumber("1.0") as number }),
    ],
    [
      "of a built-in type",
      { category: "time", name: "file", value: 1 },
      by("full", { category: "time", name: tag("File"), value: 1 }),
    ],
    ["others are counts", { category: "resources", name: "changed", value: 7 }, {}],
  ]);
});

describe("facts", () => {
  const name = (text: string): string => x("fact-name", text);
  const value = (text: string): string => x("fact-value", text);
  judge("replace facts", (part) => ({ values: part }), [
    [
      "names and values that every node has",
      { kernel: "Linux", operatingsystem: "Debian" },
      by("full", { [name("kernel")]: value("Linux"), [name("operatingsystem")]: value("Debian") }),
    ],
    [
      "a name that every node has, with a value that only this one has",
      { ipaddress: "10.0.0.1" },
      { full: { [name("ipaddress")]: value("10.0.0.1") }, moderate: { ipaddress: value("10.0.0.1") } },
    ],
    [
      "the site's own",
      { berth: { number: 7, at: null } },
      by("full moderate", {
        [name("berth")]: { [name("number")]: pseudonyms.number("fact-value", 7) as number, [name("at")]: null },
      }),
    ],
    [
      "nested facts go by their own names",
      { os: { architecture: "amd64", family: "Debian" } },
      {
        full: { [name("os")]: { [name("architecture")]: value("amd64"), [name("family")]: value("Debian") } },
        moderate: { [name("os")]: { architecture: "amd64", [name("family")]: value("Debian") } },
      },
    ],
    [
      "secrets, whatever is inside",
      { kernel_API_Token: "t", db_password: { kernel: ["s"], x: 5 } },
      {
        full: {
          [name("kernel_API_Token")]: value("t"),
          [name("db_password")]: {
            [name("kernel")]: [value("s")],
            [name("x")]: pseudonyms.number("fact-value", 5) as number,
          },
        },
        moderate: {
          kernel_API_Token: value("t"),
          [name("db_password")]: { kernel: [value("s")], [name("x")]: pseudonyms.number("fact-value", 5) as number },
        },
        low: {
          kernel_API_Token: value("t"),
          db_password: { kernel: [value("s")], x: pseudonyms.number("fact-value", 5) as number },
        },
      },
    ],
    [
      "objects in lists are facts as well",
      { interfaces: ["eth0", { private_key: "k", id: "a" }] },
      {
        full: {
          [name("interfaces")]: [value("eth0"), { [value("private_key")]: value("k"), [value("id")]: value("a") }],
        },
        moderate: { interfaces: ["eth0", { [name("private_key")]: value("k"), id: "a" }] },
        low: { interfaces: ["eth0", { private_key: value("k"), id: "a" }] },
      },
    ],
    [
      "what the node is called",
      { hostname: "WEB", fqdn: web, clientcert: web, motd: `Welcome to WEB-01 (${web})`, [db]: 1 },
      {
        full: {
          [name("hostname")]: value("WEB"),
          [name("fqdn")]: value(web),
          [name("clientcert")]: value(web),
          [name("motd")]: value(`Welcome to WEB-01 (${web})`),
          [name(db)]: pseudonyms.number("fact-value", 1) as number,
        },
        moderate: {
          hostname: value("WEB"),
          fqdn: value(web),
          [name("clientcert")]: value(web),
          [name("motd")]: value(`Welcome to WEB-01 (${web})`),
          [name(db)]: pseudonyms.number("fact-value", 1) as number,
        },
        low: {
          hostname: x("node", "web").slice(0, 10),
          fqdn: host,
          clientcert: host,
          motd: `Welcome to ${short} (${host})`,
          [x("node", db)]: 1,
        },
      },
    ],
    ["empty ones", { "": {} }, by("full moderate", { [name("")]: {} })],
  ]);

  judge("replace facts", (part) => ({ package_inventory: part }), [
    [
      "packages",
      [["ntp", "1:4.2", "apt"]],
      {
        full: [[x("title", "ntp"), value("1:4.2"), value("apt")]],
        moderate: [["ntp", value("1:4.2"), value("apt")]],
      },
    ],
    ["no packages", null, {}],
  ]);

  it("with huge and exact numbers", () => {
    const values = {
      count: exactNumber("123456789012345678901234567890") as number,
      factor: exactNumber("1.0") as number,
    };
    const low = createAnonymizer({ profile: "low" }).apply("replace facts", { values });
    expect(JSON.stringify(low)).toBe('{"values":{"count":123456789012345678901234567890,"factor":1.0}}');
    const full = createAnonymizer({ profile: "full" }).apply("replace facts", { values });
    expect(JSON.stringify(full)).toMatch(/^\{"values":\{"[A-Za-z]{10}":\d{20,30},"[A-Za-z]{10}":0\.\d+\}\}$/);
  });
});

describe("catalog inputs and expirations", () => {
  judge("replace catalog inputs", (part) => part as JsonObject, [
    [
      "inputs",
      { certname: web, inputs: [["hiera", "ntp::servers"]] },
      {
        full: {
          certname: host,
          inputs: [[x("catalog-input-type", "hiera"), x("catalog-input-value", "ntp::servers")]],
        },
        ...by("moderate low", { certname: host, inputs: [["hiera", x("catalog-input-value", "ntp::servers")]] }),
      },
    ],
  ]);
  judge("configure expiration", (part) => part as JsonObject, [
    ["whole", { certname: web, expire: { facts: false } }, hidden({ certname: host, expire: { facts: false } })],
  ]);
});
