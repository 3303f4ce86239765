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
const STATE = "svc-bak/history/state.json";

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
    const own = names.filter((name) => name.startsWith("svc-bak/history/"));
    expect(own.sort()).toStrictEqual([`svc-bak/history/nodes/${DB}.json`, `svc-bak/history/nodes/${WEB}.json`, STATE]);
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
      expect(names).toContain(STATE);
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
    const broken = new Map<string, (text: string) => string>([
      [`svc-bak/history/nodes/${DB}.json`, (text) => text.slice(0, 40)],
      [
        `svc-bak/history/nodes/${WEB}.json`,
        (text) =>
          text
            .replace('"facts":[\n', '"facts":[\n{"path":[7],"from":"2026-11-20T10:00:00Z"},\n')
            .replace('"values":[', '"values":[7,'),
      ],
    ]);
    const entries = (await read(site)).map(([name, text]) => [name, broken.get(name)?.(text) ?? text] as const);
    writeFileSync(damaged, await tgz(entries));
    const opened = await census(["log", WEB, "--archive", damaged, "--output", "json"]);
    expect(opened.code).toBe(0);
    expect(opened.stderr.split("\n").sort()).toStrictEqual([
      "",
      expect.stringContaining(`skipped member "svc-bak/history/nodes/${DB}.json": not JSON: `),
      expect.stringContaining(`skipped member "svc-bak/history/nodes/${WEB}.json": facts[0].path: expected a path`),
      expect.stringContaining(`skipped member "svc-bak/history/nodes/${WEB}.json": values[0]: expected an object`),
    ]);
    expect(JSON.parse(opened.stdout)).toMatchObject([changed, { what: "facts" }]);
    const imported = await census(["import", damaged, "--data", join(folder, "from-damaged")]);
    expect(imported.code).toBe(1);
    expect(imported.stdout).toContain("Imported 2 replace facts");
  });
});
