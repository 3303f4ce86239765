import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAnonymizer } from "#storage/anonymize/anonymizer.ts";
import { anonymizedMembers } from "#storage/anonymize/archive.ts";
import { namesInArchive } from "#storage/anonymize/names-in-archive.ts";
import type { ProfileName } from "#storage/anonymize/profiles.ts";
import type { Json } from "#storage/json.ts";
import { type Entry, HASH, METADATA, temporary, tgz } from "#test/storage/archive/build.ts";
import { SALT } from "./site.ts";

const web = "web-01.example.com";
const document = (json: Json): string => JSON.stringify(json);

/** What becomes of an archive of these entries. */
async function anonymized(entries: readonly Entry[], profile: ProfileName = "full"): Promise<[string, Json][]> {
  await using place = await temporary();
  const path = join(place.path, "site.tgz");
  await writeFile(path, await tgz(entries));
  const anonymizer = createAnonymizer({ profile, salt: SALT, certnames: await namesInArchive(path) });
  const members: [string, Json][] = [];
  for await (const { name, body } of anonymizedMembers(path, anonymizer)) {
    members.push([name, JSON.parse(String(body)) as Json]);
  }
  return members;
}

const same = createAnonymizer({ profile: "full", salt: SALT });
const certname = (name: string): string => same.certname(name);

it("names of members contain the replaced names of nodes, and keep their other parts", async () => {
  const members = await anonymized([
    ["svc-bak/export-metadata.json", METADATA],
    [`svc-bak/configure_expiration/${web}-${HASH}.json`, document({ certname: web })],
    [`svc-bak/reports/${web}-${HASH}.json`, document({ certname: web })],
    [`svc-bak/facts/${web}.json`, document({ certname: web })],
    ["svc-bak/facts/odd%5Cname.json", document({ certname: "odd\\name" })],
    ["svc-bak/notes.txt", `written by ${web}`],
  ]);
  expect(members.map(([name]) => name)).toEqual([
    "svc-bak/export-metadata.json",
    `svc-bak/configure_expiration/${certname(web)}-${HASH}.json`,
    `svc-bak/reports/${certname(web)}-${HASH}.json`,
    `svc-bak/facts/${certname(web)}.json`,
    `svc-bak/facts/${certname("odd\\name")}.json`,
  ]);
});

it("documents of old versions are upgraded as the metadata say, with the time of their export", async () => {
  const timestamp = "2016-01-02T03:04:05.678Z";
  const [metadata, facts, catalog] = await anonymized(
    [
      [
        "puppetdb-bak/metadata.json",
        document({ timestamp, command_versions: { replace_facts: 2, replace_catalog: 5 } }),
      ],
      [`puppetdb-bak/facts/${web}.json`, document({ name: web, environment: "qa", values: { site: `at ${web}` } })],
      [
        `puppetdb-bak/catalogs/${web}-${HASH}.json`,
        document({ name: web, "transaction-uuid": null, version: 17, api_version: 1 }),
      ],
    ],
    "low",
  );
  expect(metadata).toEqual(["puppetdb-bak/export-metadata.json", { ...(JSON.parse(METADATA) as object), timestamp }]);
  expect(facts?.[1]).toEqual({
    certname: certname(web),
    environment: "qa",
    producer: null,
    producer_timestamp: timestamp,
    values: { site: `at ${certname(web)}` },
  });
  expect(catalog?.[1]).toMatchObject({
    certname: certname(web),
    transaction_uuid: null,
    code_id: null,
    producer: null,
  });
});

it("names of nodes and compilers are replaced also in documents before their own", async () => {
  const ca = "ca.example.com";
  const members = await anonymized(
    [
      ["puppetdb-bak/facts/a.json", document({ certname: "first.example.com", values: { via: `${ca} to ${web}` } })],
      ["puppetdb-bak/export-metadata.json", METADATA],
      [`puppetdb-bak/facts/${web}.json`, document({ values: {}, producer: ca, certname: web })],
    ],
    "low",
  );
  expect(members[1]?.[1]).toMatchObject({ values: { via: `${certname(ca)} to ${certname(web)}` } });
});

describe("an error in a member names the member", () => {
  it.each([
    ["no JSON", "{", /site\.tgz: member "puppetdb-bak\/facts\/x\.json": .*the payload is not JSON/],
    [
      "no object",
      "[]",
      /site\.tgz: member "puppetdb-bak\/facts\/x\.json": replace facts v5: the payload is not an object$/,
    ],
    [
      "too deep",
      `{"values":{"a":${"[".repeat(1001)}${"]".repeat(1001)}}}`,
      /member "\S+x\.json": nested deeper than 1000/,
    ],
  ])("%s", async (_what, body, message) => {
    const entries: Entry[] = [
      ["puppetdb-bak/export-metadata.json", METADATA],
      ["puppetdb-bak/facts/x.json", body],
    ];
    await expect(anonymized(entries)).rejects.toThrow(message);
  });
});
