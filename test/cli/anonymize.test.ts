import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openMembers } from "#storage/archive/members.ts";
import { tgz } from "#test/storage/archive/build.ts";
import { facts, metadata } from "./archives.ts";
import { census, SAMPLE, start, workFolder } from "./census.ts";

const folder = workFolder();
const small = join(folder, "small.tgz");
const few = join(folder, "few.tgz");
const salt = join(folder, "salt");

beforeAll(async () => {
  const values = '{"motd":"on web-01.example.com","kernel":"Linux","db_password":"s3cret","ports":[1,2,3,4,5]}';
  writeFileSync(small, await tgz([metadata, facts("web-01.example.com", values), ["notes.txt", "by hand"]]));
  const nodes = ["web-01", "web-02"].map((name) => facts(`${name}.saltmarsh.example`, "{}"));
  writeFileSync(few, await tgz([metadata, ...nodes]));
  writeFileSync(salt, randomBytes(32));
});

async function unpacked(path: string): Promise<string[]> {
  const members: string[] = [];
  for await (const { name, body } of openMembers(path)) members.push(`${name}\n${body.toString()}`);
  return members;
}

describe("census anonymize", () => {
  it.each<[name: string, archive: string, documents: number]>([
    ["a.tgz", SAMPLE, 566],
    ["a.tar.gz", few, 2],
    ["a.zip", few, 2],
  ])("writes %s in the format of its name, and no other file", async (name, archive, documents) => {
    const out = join(folder, "formats", name);
    writeFileSync(join(folder, "is-there"), "");
    const missing = await census(["anonymize", archive, out]);
    expect(missing.stderr).toMatch(/^census: \S+: cannot be written: no such directory\n$/);
    const path = join(folder, name);
    const { code, stdout, stderr } = await census(["anonymize", archive, path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const members = await unpacked(path);
    expect(members).toHaveLength(documents + 1);
    expect(stdout).toMatch(/^Wrote \d+ documents to \S+ in \d+\.\d s \(profile full\)\n$/);
    expect(stdout).toContain(`Wrote ${documents} documents to ${path} `);
    expect(members.join("\n")).not.toContain("saltmarsh");
    expect(readdirSync(folder).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leaves no file behind when %s interrupts it", async (signal, expected) => {
    // Work for many seconds.
    const values = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`fact_${n}`, `at ${n}`])),
    );
    const nodes = Array.from({ length: 30 }, (_, n) => facts(`web-${n}.example.com`, values));
    const [large, place] = [join(folder, `${signal}.tgz`), join(folder, signal)];
    writeFileSync(large, await tgz([metadata, ...nodes]));
    mkdirSync(place);
    const child = start(["anonymize", large, join(place, "out.tgz")]);
    const ended = once(child, "close");
    await expect.poll(() => readdirSync(place), { timeout: 60_000 }).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toEqual([expected, null]);
    expect(readdirSync(place)).toEqual([]);
  });

  it("writes the same archive with the same salt, and a different one without", async () => {
    const paths = ["one", "two", "three"].map((name) => join(folder, `${name}.tgz`));
    const [one = "", two = "", three = ""] = paths;
    for (const [out, ...more] of [[one, "--salt-file", salt], [two, "--salt-file", salt], [three]]) {
      expect(await census(["anonymize", small, out ?? "", "--profile", "low", ...more])).toMatchObject({
        code: 0,
        stderr: `census: ${small}: skipped 1 member without a command\n`,
      });
    }
    expect(await unpacked(two)).toEqual(await unpacked(one));
    expect((await unpacked(three))[1]).not.toEqual((await unpacked(one))[1]);
  });

  it("--preview shows the replacement of each value, and writes nothing", async () => {
    const before = readdirSync(folder);
    const words = ["anonymize", small, "--preview", "1", "--profile", "low", "--output", "ndjson"];
    const { code, stdout, stderr } = await census(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { field: string; value: unknown; new_value: unknown });
    const shown = new Map(rows.map((row) => [row.field, [row.value, row.new_value]]));
    const name = /^[a-z]{10}\.[a-z]{15}\.[a-z]{3}$/;
    expect(shown.get("certname")).toEqual(["web-01.example.com", expect.stringMatching(name)]);
    expect(shown.get("values.kernel")).toEqual(["Linux", "Linux"]);
    expect(shown.get("values.motd")).toEqual(["on web-01.example.com", `on ${String(shown.get("certname")?.[1])}`]);
    expect(shown.get("values.db_password")).toEqual(["s3cret", expect.stringMatching(/^[A-Za-z]{10}$/)]);
    expect([...shown.keys()].filter((field) => field.includes("ports"))).toEqual([
      "values.ports[0]",
      "values.ports[2]",
      "values.ports[4]",
    ]);
    expect(shown.get("timestamp")).toEqual(["2026-11-20T10:00:00.000Z", null]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("--preview shows a document of each kind for a number of nodes", async () => {
    const { stdout } = await census(["anonymize", SAMPLE, "--preview", "2"]);
    const rows = JSON.parse(stdout) as { document: string; field: string }[];
    const documents = rows.filter(({ field }) => field === "certname").map(({ document }) => document);
    expect(documents.sort()).toEqual(
      ["catalog_inputs", "catalogs", "facts", "reports"].flatMap((document) => [document, document]),
    );
  });
});

describe("census import --anonymize", () => {
  it("stores nothing that the profile hides", async () => {
    const data = join(folder, "data");
    const words = ["import", small, "--anonymize", "low", "--salt-file", salt, "--data", data];
    expect(await census(words)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 replace facts") as string,
    });
    const { stdout } = await census(["query", "facts[certname, name, value] {}", "--data", data]);
    expect(stdout).toContain("motd");
    expect(stdout).not.toMatch(/example\.com|s3cret/);
  });

  it("with --keep-going skips members that it cannot read, and names them", async () => {
    const path = join(folder, "bad.tgz");
    writeFileSync(path, await tgz([metadata, facts("a", "{}"), ["puppetdb-bak/facts/b.json", "{"]]));
    const words = ["import", path, "--anonymize", "full", "--data", join(folder, "going")];
    const refused = await census(words);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^census: \S+bad\.tgz: member "puppetdb-bak\/facts\/b\.json": .*not JSON[^\n]*\n$/);
    const { code, stdout, stderr } = await census([...words, "--keep-going"]);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^Imported 1 replace facts /) as string,
    });
    expect(stderr).toMatch(/^census: skipped member "puppetdb-bak\/facts\/b\.json": .*not JSON[^\n]*\n$/);
  });
});

describe("an error is one line on stderr", () => {
  const out = join(folder, "never.tgz");
  it.each<[string[], number, RegExp]>([
    [["anonymize", small], 2, /^census: anonymize: missing argument OUT; --preview N shows/],
    [["anonymize", small, "out.rar"], 2, /^census: anonymize: "out\.rar" must end in \.tgz, \.tar\.gz or \.zip$/],
    [["anonymize", small, small], 2, /^census: anonymize: \S+small\.tgz is the input archive; choose another name$/],
    [["anonymize", small, out, "--preview", "1"], 2, /^census: anonymize: --preview writes nothing;/],
    [["anonymize", small, "--preview", "all"], 2, /^census: --preview must be a number of nodes .*, not "all"$/],
    [["anonymize", small, out, "--output", "csv"], 2, /^census: anonymize: --output needs --preview/],
    [["anonymize", small, out, "--profile", "high"], 2, /^census: anonymize: --profile must be one of full, moderate,/],
    [["anonymize", small, out, "--salt-file", "none"], 1, /^census: none: cannot read the salt: /],
    [["anonymize", small, out, "--salt-file", ".gitignore/x"], 1, /^census: \.gitignore\/x: cannot read the salt: /],
    [
      ["anonymize", join(SAMPLE, "../../package.json"), out],
      1,
      /^census: \S+package\.json: not an archive \(tar, tar\.gz, zip\)/,
    ],
    [["import", small, "--salt-file", salt], 2, /^census: import: --salt-file needs --anonymize$/],
  ])("%j", async (words, code, line) => {
    const run = await census(words);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(run.stderr).toMatch(/^[^\n]+\n$/);
    expect(run.stderr.trimEnd()).toMatch(line);
    expect(existsSync(out)).toBe(false);
  });

  it("a salt that could be guessed", async () => {
    const path = join(folder, "short");
    writeFileSync(path, "pepper");
    const { code, stderr } = await census(["anonymize", small, out, "--salt-file", path]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: \S+short: the salt has 6 bytes, needs at least 16; /);
  });
});
