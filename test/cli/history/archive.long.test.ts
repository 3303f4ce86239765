import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { Store } from "#storage/store.ts";
import { a, time } from "#test/fixture-store.ts";
import { serve, type Served } from "#test/app/fixture-service.ts";
import { read, tgz } from "#test/storage/archive/build.ts";
import { isImportedByPuppetDb } from "./puppetdb-members.ts";
import { census, workFolder } from "../census.ts";

const folder = workFolder();
const [data, site, damaged] = ["data", "site.tgz", "damaged.tgz"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const [WEB, DB] = ["web-01.example.com", "db-01.example.com"];
const times = ["2026-11-18T10:00:00Z", "2026-11-20T10:00:00Z"] as const;
const HISTORY = "svc-bak/history";
const BEGUN = `${HISTORY}/begun.json`;
const [NODES, FACTS, VALUES] = ["documents", "facts", "values"].map((name) => `${HISTORY}/${name}-000001.jsonl`);

beforeAll(async () => {
  let now = time(times[0]);
  const store = await Store.open({ directory: data, clock: { now: () => now } });
  for (const [at, kernel] of [
    [times[0], "6.1"],
    [times[1], "6.12"],
  ] as const) {
    now = time(at);
    for (const certname of [WEB, DB])
      await store.submit(
        a.facts(certname, { producer_timestamp: at, values: { kernel, os: { name: "Debian" } } }, now),
      );
  }
  await store.close();
  const { code, stderr } = await census([
    "export",
    site,
    "--with-history",
    "--data",
    data,
    "--now",
    "2026-11-21T00:00:00Z",
  ]);
  if (code !== 0) throw new Error(stderr);
});

async function rows(...words: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await census([...words, "--output", "json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const changed = { certname: WEB, what: "kernel", before: "6.1", after: "6.12", from: "2026-11-20T10:00:00.000Z" };
const query = ["query", 'facts[certname, value] { name = "kernel" order by certname }', "--as-of", "2026-11-19"];
const past = [
  { certname: DB, value: "6.1" },
  { certname: WEB, value: "6.1" },
];

describe("census export --with-history", () => {
  it("writes the history into members that are not those of commands", async () => {
    const names = (await read(site)).map(([name]) => name);
    const own = names.filter((name) => name.startsWith(HISTORY));
    expect(own).toStrictEqual([BEGUN, NODES, FACTS, VALUES]);
    const moved = own.map((name) => name.replace("svc-bak", "puppetdb-bak"));
    expect(moved.filter(isImportedByPuppetDb)).toStrictEqual([]);
  });

  it("without it writes none", async () => {
    const path = join(folder, "present.tgz");
    expect((await census(["export", path, "--data", data])).code).toBe(0);
    expect((await read(path)).map(([name]) => name).filter((name) => name.includes("history"))).toStrictEqual([]);
    const { code, stderr } = await census([...query, "--archive", path]);
    expect(code).toBe(2);
    expect(stderr).toContain("neither in archives without history");
  });

  it("is refused together with --anonymize", async () => {
    const path = join(folder, "anonymous.tgz");
    const { code, stderr } = await census(["export", path, "--data", data, "--with-history", "--anonymize", "low"]);
    expect(code).toBe(2);
    expect(stderr).toContain("--with-history and --anonymize cannot be used together");
  });

  it("is a parameter of the archive of a server", async () => {
    const store = await Store.open({ directory: data, readOnly: true });
    const service: Served = await serve(store);
    try {
      const path = join(folder, "from-server.zip");
      expect(await census(["export", path, "--with-history", "--url", service.url])).toMatchObject({
        code: 0,
        stderr: "",
      });
      const names = (await read(path)).map(([name]) => name);
      expect(names).toContain(BEGUN);
      const refused = await fetch(`${service.url}/pdb/admin/v1/archive?history=true&anonymization_profile=low`);
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain("history must be false");
    } finally {
      await service.close();
    }
  });
});

describe("an archive with history", () => {
  it("answers log and --as-of", async () => {
    expect(await rows("log", WEB, "--archive", site)).toMatchObject([changed, { what: "facts", before: null }]);
    expect(await rows(...query, "--archive", site)).toStrictEqual(past);
    expect(await rows(...query, "--archive", site, "--no-cache")).toStrictEqual(past);
  });

  it("gives its history to the store that it is imported into", async () => {
    const directory = join(folder, "imported");
    const imported = await census(["import", site, "--data", directory, "--now", "2026-11-22"]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    const options = ["--data", directory, "--now", "2026-11-22"];
    expect(await rows(...query, ...options)).toStrictEqual(past);
    expect(await rows("log", WEB, ...options)).toMatchObject([changed, { what: "facts" }]);
  });

  it("is read as far as it is not damaged, and what is damaged is named", async () => {
    const ofWeb = (text: string): string => text.split("\n").find((line) => line.includes(WEB)) ?? "";
    const broken = new Map<string, (text: string) => string>([
      [BEGUN, (text) => text],
      [`${NODES}`, (text) => `${text}${ofWeb(text)}\n${text.slice(0, 40)}`],
      [`${FACTS}`, (text) => `${ofWeb(text).replace('["kernel"]', "[7]")}\n${text}{"path":["os"]}\n`],
      [`${VALUES}`, (text) => text.replace("{", "7\n{")],
    ]);
    const entries = (await read(site)).map(([name, text]) => [name, broken.get(name)?.(text) ?? text] as const);
    writeFileSync(damaged, await tgz(entries));
    const opened = await census(["log", WEB, "--archive", damaged, "--output", "json"]);
    expect(opened.code).toBe(0);
    expect(opened.stderr.split("\n").sort()).toStrictEqual([
      "",
      expect.stringContaining(`skipped member "${NODES}", line 4: not JSON: `),
      expect.stringContaining(`skipped member "${FACTS}", line 1: path: expected a path`),
      expect.stringContaining(`skipped member "${FACTS}", line 4: certname: missing`),
      expect.stringContaining(`skipped member "${VALUES}", line 1: payload: expected an object`),
      expect.stringContaining(`skipped the history of ${WEB}: the archive has another one of this node`),
    ]);
    expect(JSON.parse(opened.stdout)).toMatchObject([changed, { what: "facts" }]);
    const imported = await census(["import", damaged, "--data", join(folder, "from-damaged")]);
    expect(imported.code).toBe(1);
    expect(imported.stdout).toContain("Imported 2 replace facts");
  });

  it("in the form of earlier builds is refused with what to do, and the rest of the archive is read", async () => {
    const path = join(folder, "earlier.tgz");
    const present = (await read(site)).filter(([name]) => !name.startsWith(HISTORY));
    const document = `{"certname":"${WEB}",\n"documents":{"facts":[],"catalog":[]}}`;
    writeFileSync(path, await tgz([...present, [`${HISTORY}/nodes/${WEB}.json`, document]]));
    const { code, stdout, stderr } = await census(["facts", WEB, "--archive", path, "--output", "json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toHaveLength(2);
    const opened = await census(["log", WEB, "--archive", path]);
    expect(opened.stderr).toContain("the history: has the form of an earlier build: export it again, from its store");
    const imported = await census(["import", path, "--data", join(folder, "from-earlier")]);
    expect(imported).toMatchObject({ code: 1, stdout: expect.stringContaining("Imported 2 replace facts") as string });
  });
});
