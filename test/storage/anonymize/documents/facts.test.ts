import { describe, expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { exactNumber, type JsonObject } from "#storage/json.ts";
import { x, web, db, host, short, by, hidden, judge, pseudonyms } from "../judged.ts";

const name = (text: string): string => x("fact-name", text);
const value = (text: string): string => x("fact-value", text);

describe("facts", () => {
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
      "secrets with any content",
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
