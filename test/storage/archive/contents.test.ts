import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readArchive, readMetadata, type ArchiveCommand } from "#storage/archive/contents.ts";
import { folder, HASH, METADATA, temporary, tgz, zip } from "./build.ts";

const METADATA_MEMBER = ["puppetdb-bak/export-metadata.json", METADATA] as const;
const FACTS = ["puppetdb-bak/facts/a.json", "{}"] as const;
const CATALOG = [`puppetdb-bak/catalogs/a-${HASH}.json`, "{}"] as const;

type Members = readonly (readonly [string, string])[];

async function commands(path: string, onIgnored?: (name: string) => void): Promise<ArchiveCommand[]> {
  const found: ArchiveCommand[] = [];
  for await (const command of readArchive(path, { onIgnored })) found.push(command);
  return found;
}

async function commandsOf(members: Members, ignored: string[] = []): Promise<ArchiveCommand[]> {
  await using place = await temporary();
  const path = join(place.path, "export.tgz");
  await writeFile(path, await tgz(members));
  return await commands(path, (name) => ignored.push(name));
}

describe("commands of an archive", () => {
  const names: [string, string, number, string][] = [
    [`configure_expiration/a.b-${HASH}.json`, "configure expiration", 1, "a.b"],
    [`catalogs/web-01.example.com-${HASH}.json`, "replace catalog", 9, "web-01.example.com"],
    [`catalogs/a/b-${HASH}.json`, "replace catalog", 9, "a/b"],
    [`reports/größe.東京-${HASH.toUpperCase()}.json`, "store report", 8, "größe.東京"],
    [`reports/${"long".repeat(60)}-${HASH}.json`, "store report", 8, "long".repeat(60)],
    ["facts/a-b.json", "replace facts", 5, "a-b"],
    [`facts/a-${HASH}.json`, "replace facts", 5, `a-${HASH}`],
    ["facts/deep/er/x.json", "replace facts", 5, "deep/er/x"],
    [`catalog_inputs/x-${HASH}-${HASH}.json`, "replace catalog inputs", 1, `x-${HASH}`],
  ];
  it.each(names)("are read with name, version and payload: %s", async (name, command, version, certname) => {
    const member = `puppetdb-bak/${name}`;
    const text = JSON.stringify({ certname });
    const payload = Buffer.from(text);
    expect(await commandsOf([METADATA_MEMBER, [member, text]])).toEqual([
      { command, version, certname, payload, member },
    ]);
  });

  it("are in the order of the archive, members with equal names included", async () => {
    const members = [METADATA_MEMBER, FACTS, CATALOG, [CATALOG[0], '{"second":1}'], FACTS] as const;
    const found = await commandsOf(members);
    expect(found.map(({ member, payload }) => [member, String(payload)])).toEqual(members.slice(1));
  });

  it.each([
    ["last", [FACTS, CATALOG, METADATA_MEMBER]],
    ["in between", [FACTS, METADATA_MEMBER, CATALOG]],
  ] as const)("are complete with the metadata %s", async (_place, members) => {
    const found = await commandsOf(members);
    expect(found.map(({ member }) => member)).toEqual([FACTS[0], CATALOG[0]]);
  });

  it.each(["puppetdb-bak/", "svc-bak/", ""])("are found in the top directory %j", async (directory) => {
    for (const file of ["export-metadata.json", "metadata.json"]) {
      const found = await commandsOf([
        [directory + file, METADATA],
        [`${directory}facts/a.json`, "{}"],
      ]);
      expect(found.map(({ member }) => member)).toEqual([`${directory}facts/a.json`]);
    }
  });

  it("skip and report members that are neither commands nor metadata", async () => {
    const ignored: string[] = [];
    const strange = [
      "puppetdb-bak/facts/a.yaml",
      `puppetdb-bak/reports/a-${HASH.slice(1)}.json`,
      "puppetdb-bak/packages/a.json",
      "svc-bak/facts/a.json",
      "README",
    ];
    const members = [METADATA_MEMBER, FACTS, ...strange.map((name) => [name, "{}"] as const)];
    expect(await commandsOf(members, ignored)).toHaveLength(1);
    expect(ignored).toEqual(strange);
  });

  it("are in the order of an export, from a folder and from a zip", async () => {
    await using place = await temporary();
    const members = [
      METADATA_MEMBER,
      [`puppetdb-bak/configure_expiration/a-${HASH}.json`, "{}"],
      CATALOG,
      [`puppetdb-bak/reports/a-${HASH}.json`, "{}"],
      FACTS,
      [`puppetdb-bak/catalog_inputs/a-${HASH}.json`, "{}"],
    ] as const;
    const expected = members.slice(1).map(([name]) => name);
    await folder(join(place.path, "unpacked"), members);
    await writeFile(join(place.path, "export.zip"), await zip(members));
    for (const name of ["unpacked", "unpacked/puppetdb-bak", "export.zip"]) {
      const found = await commands(join(place.path, name));
      const top = name.endsWith("puppetdb-bak") ? "puppetdb-bak/" : "";
      expect(found.map(({ member }) => top + member)).toEqual(expected);
    }
  });
});

describe("metadata of an archive", () => {
  it("is found at any position of the archive", async () => {
    await using place = await temporary();
    const path = join(place.path, "export.tgz");
    await writeFile(path, await tgz([FACTS, ["svc-bak/metadata.json", '{"command_versions": {"replace_facts": 2}}']]));
    expect(await readMetadata(path)).toEqual({ commandVersions: { replace_facts: 2 }, directory: "svc-bak/" });
    await writeFile(path, await tgz([METADATA_MEMBER]));
    expect(await readMetadata(path)).toMatchObject({
      timestamp: "2026-11-21T00:11:46.377Z",
      directory: "puppetdb-bak/",
    });
  });

  it("has a time only if it is valid", async () => {
    await using place = await temporary();
    const path = join(place.path, "export.tgz");
    await writeFile(path, await tgz([[METADATA_MEMBER[0], '{"timestamp": "soon", "command_versions": {}}']]));
    expect(await readMetadata(path)).not.toHaveProperty("timestamp");
  });

  const faults: [string, Members, RegExp][] = [
    ["missing", [FACTS], /: Unable to find export metadata file 'puppetdb-bak\/export-metadata\.json' in archive$/],
    ["in no archive at all", [], /: Unable to find export metadata file/],
    [
      "not JSON",
      [[METADATA_MEMBER[0], "{"]],
      /: the export metadata "puppetdb-bak\/export-metadata\.json" is not JSON: /,
    ],
    ["no object", [[METADATA_MEMBER[0], "[]"]], /is not a JSON object$/],
    [
      "without versions",
      [[METADATA_MEMBER[0], "{}"]],
      /: no command_versions in "puppetdb-bak\/export-metadata\.json"$/,
    ],
    [
      "with a strange version",
      [[METADATA_MEMBER[0], '{"command_versions": {"replace_facts": "five"}}']],
      /: the version of "replace_facts" in "puppetdb-bak\/export-metadata\.json" is not a whole number$/,
    ],
    [
      "without the version of a command that occurs",
      [[METADATA_MEMBER[0], '{"command_versions": {"replace_catalog": 9}}'], CATALOG, FACTS],
      /: no version for replace_facts in the export metadata, but there is member "puppetdb-bak\/facts\/a\.json"$/,
    ],
    [
      "with names that every object has",
      [[METADATA_MEMBER[0], '{"command_versions": {"__proto__": {"replace_facts": 5}}}'], FACTS],
      /the version of "__proto__" .* is not a whole number$/,
    ],
  ];
  it.each(faults)("is rejected: %s", async (_name, members, message) => {
    await expect(commandsOf(members)).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringMatching(message) as string,
    });
  });
});
