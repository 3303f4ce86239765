import { describe, expect, it } from "vitest";
import type { JsonObject } from "#storage/json.ts";
import { checkNames } from "#cli/names/check.ts";
import type { UsedName } from "#cli/names/used-name.ts";
import { exitCodeOf } from "#cli/errors.ts";

const HASH = "612d4eed28f0816e1b98e39421ebd31824b7ce12";
const OTHER = "612d4eed000000000000000000000000000000ff";

/** The rows of a small source, by what a query begins with. */
const source: Readonly<Record<string, readonly JsonObject[]>> = {
  "nodes[": [
    { certname: "web-01.example.com", deactivated: null, expired: null },
    { certname: "web-02.example.com", deactivated: null, expired: null },
    { certname: "web-02.example.org", deactivated: null, expired: null },
    { certname: "db-01.example.com", deactivated: "2026-11-19T00:00:00.000Z", expired: null },
    { certname: "web-01.example.net", deactivated: null, expired: "2026-11-18T00:00:00.000Z" },
  ],
  "facts[": [{ name: "os" }, { name: "kernel" }],
  "fact_paths[": [{ path: ["os", "family"] }, { path: ["os", "release", "major"] }, { path: ["kernel"] }],
  'resources[title, count()] { type = "Class"': [{ title: "Profile::Base" }, { title: "Chrony" }],
  'resources[title, count()] { type = "File"': [{ title: "/etc/motd" }],
  "resources[type": [{ type: "File" }, { type: "Service" }],
  "events[resource_type": [{ resource_type: "File" }, { resource_type: "Exec" }],
  "events[resource_title": [{ resource_title: "/etc/gone" }],
  "environments[": [{ name: "production" }, { name: "staging" }],
  "producers[": [{ name: "compiler-1" }],
  "packages[provider": [{ provider: "apt" }, { provider: "gem" }],
  "packages[package_name": [{ package_name: "openssl" }, { package_name: "openssh-server" }],
  'reports[hash] { hash ~ "^612d4eed28': [{ hash: HASH }],
  'reports[hash] { hash ~ "^612d4eed"': [{ hash: HASH }, { hash: OTHER }],
};

async function rowsOf(query: string, rows = source): Promise<JsonObject[]> {
  const start = Object.keys(rows).find((each) => query.startsWith(each));
  return Promise.resolve([...(start === undefined ? [] : (rows[start] ?? []))]);
}

const check = async (...names: UsedName[]): Promise<unknown> => checkNames("nodes: ", names, (query) => rowsOf(query));

describe("a name that the source has", () => {
  it.each<UsedName>([
    { kind: "certname", text: "web-01.example.com" },
    { kind: "certnames", text: "web-*" },
    { kind: "fact", text: "kernel" },
    { kind: "fact", text: "os.release" },
    { kind: "fact", text: "os.release.major" },
    { kind: "class", text: "profile::base" },
    { kind: "class", text: "profile::*" },
    { kind: "environment", text: "staging" },
    { kind: "package", text: "openssl" },
    { kind: "package", text: "open*" },
    { kind: "provider", text: "gem" },
    { kind: "report", text: HASH },
    { kind: "hash", text: HASH },
    { kind: "producer", text: "compiler-1" },
    { kind: "word", of: "status", text: "failed", words: ["failed"] },
    { kind: "report", text: "web-01.example.com" },
    { kind: "resource", type: "Exec", title: undefined },
    { kind: "resource", type: "File", title: "/etc/motd" },
    { kind: "resource", type: "File", title: "/etc/gone" },
  ])("is accepted without remarks: %j", async (name) => {
    expect(await check(name)).toStrictEqual({ fullName: undefined, remarks: [] });
  });

  it.each<[UsedName, string]>([
    [
      { kind: "certname", text: "db-01.example.com" },
      "db-01.example.com is deactivated since 2026-11-19T00:00:00.000Z",
    ],
    [{ kind: "certnames", text: "x.*" }, 'no certname matches "x.*"; census nodes --state any lists all'],
    [{ kind: "class", text: "role::*" }, `no class matches "role::*"; census classes lists all`],
  ])("causes a remark if it explains an empty result: %j", async (name, remark) => {
    expect(await check(name)).toStrictEqual({ fullName: undefined, remarks: [remark] });
  });
});

describe("a short name", () => {
  it.each<[UsedName, fullName: string, remarks: readonly string[]]>([
    // Active nodes go first.
    [{ kind: "certname", text: "web-01" }, "web-01.example.com", []],
    [{ kind: "certname", text: "WEB-01" }, "web-01.example.com", []],
    [
      { kind: "certname", text: "DB-01.example.com" },
      "db-01.example.com",
      ["db-01.example.com is deactivated since 2026-11-19T00:00:00.000Z"],
    ],
    [{ kind: "report", text: "web-01" }, "web-01.example.com", []],
    [{ kind: "report", text: "612d4eed28f" }, HASH, []],
    [{ kind: "hash", text: "612d4eed28f" }, HASH, []],
  ])("that is unique is completed: %j", async (name, fullName, remarks) => {
    expect(await check({ kind: "environment", text: "staging" }, name)).toStrictEqual({ fullName, remarks });
  });

  it.each<[UsedName, message: string]>([
    [
      { kind: "certname", text: "web-02" },
      'nodes: "web-02" is short for 2 certnames: web-02.example.com, web-02.example.org',
    ],
    [{ kind: "certname", text: "web-02.example" }, 'nodes: "web-02.example" is short for 2 certnames'],
    [{ kind: "report", text: "612d4eed" }, "nodes: 612d4eed is the beginning of 2 report hashes"],
  ])("that is ambiguous is rejected: %j", async (name, message) => {
    await expect(check(name)).rejects.toThrow(message);
  });
});

describe("a name that the source does not have", () => {
  it.each<[UsedName, message: string]>([
    [
      { kind: "certname", text: "web-03" },
      'unknown certname "web-03"; did you mean web-01.example.com, web-01.example.net or web-02.example.com?',
    ],
    // A pattern is none where only a name can be.
    [{ kind: "certname", text: "nope-*" }, 'unknown certname "nope-*"; there are web-01.example.com, '],
    [{ kind: "fact", text: "kernl" }, 'unknown fact "kernl"; did you mean kernel?'],
    [{ kind: "fact", text: "so.family" }, 'unknown fact "so"; did you mean os?'],
    [{ kind: "fact", text: "os.famliy" }, 'unknown fact "os.famliy"; did you mean os.family?'],
    [{ kind: "class", text: "profile::bse" }, 'unknown class "profile::bse"; did you mean profile::base?'],
    [{ kind: "environment", text: "test" }, 'unknown environment "test"; there are production, staging'],
    [{ kind: "package", text: "opensll" }, 'unknown package "opensll"; did you mean openssl?'],
    [{ kind: "provider", text: "dnf" }, 'unknown provider "dnf"; there are apt, gem'],
    [{ kind: "report", text: HASH.replace("612d", "0000") }, "there is no report 00004eed28f0816e"],
    [{ kind: "resource", type: "Flie", title: "/etc/motd" }, 'unknown resource type "Flie"; did you mean File?'],
    [{ kind: "producer", text: "puppet" }, 'unknown producer "puppet"; there is compiler-1'],
    [{ kind: "hash", text: HASH.replace("612d", "0000") }, "there is no report 00004eed28f0816e"],
    [{ kind: "hash", text: "web-01.example.com" }, "there is no report web-01.example.com"],
    [
      { kind: "word", of: "status of reports", text: "failure", words: ["failed", "changed"] },
      'unknown status of reports "failure"; there are failed, changed',
    ],
    [
      { kind: "resource", type: "File", title: "/etc/mtod" },
      'unknown resource "File[/etc/mtod]"; did you mean File[/etc/motd] or File[/etc/gone]?',
    ],
  ])("is an error with exit code 2: %j", async (name, message) => {
    const error = await check(name).catch((thrown: unknown) => thrown);
    expect(exitCodeOf(error)).toBe(2);
    expect((error as Error).message).toContain(`nodes: ${message}`);
  });
});

it.each<UsedName>([
  { kind: "certname", text: "web-01" },
  { kind: "certnames", text: "*" },
  { kind: "fact", text: "os" },
  { kind: "class", text: "*" },
  { kind: "environment", text: "production" },
  { kind: "package", text: "*" },
  { kind: "provider", text: "apt" },
  { kind: "producer", text: "compiler-1" },
])("a name is reported as absent, not as unknown, if the source has no such names: %j", async (name) => {
  const error = await checkNames("packages: ", [name], async () => Promise.resolve([])).catch(
    (thrown: unknown) => thrown,
  );
  expect(exitCodeOf(error)).toBe(1);
  expect((error as Error).message).toMatch(/^packages: the source contains no \w/);
});
