import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { type Json, parseJson } from "#storage/json.ts";
import { Store } from "#storage/store.ts";
import { tar, tgz, type Entry } from "#test/storage/archive/build.ts";
import { facts, metadata } from "./archives.ts";
import { census, type Run, SAMPLE, startServer, workFolder } from "./census.ts";

const folder = workFolder();
const data = join(folder, "data");
const query = "facts[certname, name, value] { order by certname, name }";
const before = [{ certname: "web-01.example.com", name: "kept", value: 1 }];

/** A query would return it if it were stored. */
const newer = facts("web-01.example.com", '{"kept":2}', "2026-11-20T11:00:00.000Z");

async function archive(name: string, bytes: Buffer | string | Promise<Buffer>): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, await bytes);
  return path;
}

async function factsIn(directory: string): Promise<Json[]> {
  const store = await Store.open({ directory });
  try {
    const { rows } = await store.queries.run(store.queries.plan({ of: "root", pql: query }));
    let all: Json[] = [];
    for await (const batch of rows) all = [...all, ...batch.texts().map(parseJson)];
    return all;
  } finally {
    await store.close();
  }
}

let first: Run | undefined;

beforeAll(async () => {
  const path = await archive("first.tgz", tgz([metadata, facts("web-01.example.com", '{"kept":1}')]));
  first = await census(["import", path, "--data", data]);
});

it("census import prints what it has stored", () => {
  expect(first).toStrictEqual({
    code: 0,
    stdout: expect.stringMatching(/^Imported 1 replace facts from \S+first\.tgz in \d+\.\d s\n$/) as string,
    stderr: "",
  });
});

it("beside a running service census import names the command that sends the archive to it", async () => {
  const config = join(folder, "running.ini");
  const directory = join(folder, "running");
  writeFileSync(config, `[global]\nvardir = ${directory}\n[jetty]\nhost = 127.0.0.1\nport = 18085\n`);
  const server = await startServer(["serve", "--data", directory, "--port", "0"]);
  const configured = await census(["import", SAMPLE, "--config", config]);
  const named = await census(["import", SAMPLE, "--data", directory]);
  await server.stop();
  const inUse = String.raw`census\.duckdb: is in use by another process \(.+, PID \d+\); stop it, or send the archive to it: `;
  expect(configured).toMatchObject({ code: 1, stdout: "" });
  expect(configured.stderr).toMatch(new RegExp(`${inUse}census import ${SAMPLE} --url http://127\\.0\\.0\\.1:18085 `));
  expect(named).toMatchObject({ code: 1, stdout: "" });
  expect(named.stderr).toMatch(new RegExp(`${inUse}census import ${SAMPLE} --url URL\n$`));
});

/** Ends in the middle of the last member. */
async function cut(): Promise<Buffer> {
  const whole = gzipSync(await tar([metadata, newer, facts("web-03", '{"a":1}')]), { level: 0 });
  return whole.subarray(0, whole.length - 2500);
}

describe("an archive that cannot be imported causes one line on stderr and exit code 1, and changes nothing", () => {
  const unreadable: Entry = ["puppetdb-bak/facts/web-02.json", "{not\njson"];
  const misshapen: Entry = ["puppetdb-bak/facts/web-02.json", '{"certname":"web-02"}'];
  it.each<[string, () => Buffer | string | Promise<Buffer>, RegExp]>([
    ["text.tgz", () => "once upon a time", /text\.tgz: not an archive \(tar, tar\.gz, zip\), but a text file$/],
    ["cut.tgz", cut, /cut\.tgz: cut off: the gzip data ends too early, /],
    [
      "up.tgz",
      () => tgz([metadata, newer, ["../up.json", ""]]),
      /up\.tgz: member "\.\.\/up\.json" has a path that leav/,
    ],
    ["bare.tgz", () => tgz([newer]), /bare\.tgz: Unable to find export metadata file/],
    [
      "json.tgz",
      () => tgz([metadata, newer, unreadable]),
      /json\.tgz: member "\S+web-02\.json": .*the payload is not JSON/,
    ],
    [
      "shape.tgz",
      () => tgz([metadata, newer, misshapen]),
      /shape\.tgz: member "\S+web-02\.json": replace facts v5 of web-02/,
    ],
  ])("%s", async (name, bytes, line) => {
    const path = await archive(name, bytes());
    const { code, stdout, stderr } = await census(["import", path, "--data", data]);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^census: [^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(line);
    expect(await factsIn(data)).toStrictEqual(before);
  });

  it("a data directory that cannot be used", async () => {
    const { code, stderr } = await census(["import", SAMPLE, "--data", join(SAMPLE, "data")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: \S+sample\.tgz\/data: cannot make this folder: [^\n]+\n$/);
  });

  it("no data directory is created for an invalid archive", async () => {
    const directory = join(folder, "none");
    const { code, stderr } = await census(["import", join(SAMPLE, "../../package.json"), "--data", directory]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: \S+package\.json: /);
    expect(existsSync(directory)).toBe(false);
  });
});

describe("--keep-going stores what can be read and lists the rest", () => {
  it("members that cannot be read", async () => {
    const directory = join(folder, "keep-going");
    const bad = Array.from({ length: 22 }, (_, index): Entry => [`puppetdb-bak/facts/bad-${index}.json`, "{"]);
    const path = await archive("bad.tgz", tgz([metadata, newer, ...bad, facts("web-09", '{"last":true}')]));
    const { code, stdout, stderr } = await census(["import", path, "--keep-going", "--data", directory]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Imported 2 replace facts from /);
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^census: skipped member "puppetdb-bak\/facts\/bad-0\.json": .*not JSON/);
    expect(lines[20]).toBe("census: skipped 2 more");
    expect(await factsIn(directory)).toStrictEqual([
      { certname: "web-01.example.com", name: "kept", value: 2 },
      { certname: "web-09", name: "last", value: true },
    ]);
  });

  it("a truncated archive", async () => {
    const directory = join(folder, "cut-off");
    const whole = await tar([metadata, newer, facts("web-03", '{"a":1}')]);
    const path = await archive("cut-off.tar", whole.subarray(0, whole.indexOf("web-03") + 600));
    const { code, stderr } = await census(["import", path, "--keep-going", "--data", directory]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^census: skipped the rest of the archive: \S+cut-off\.tar: cut off: [^\n]+\n$/);
    expect(await factsIn(directory)).toStrictEqual([{ certname: "web-01.example.com", name: "kept", value: 2 }]);
  });
});

/** Also those of plans, which reports do not list by themselves. */
const allReports = 'reports[hash] { type = "any" and node_state = "any" order by hash }';

it("a second import of the same archive changes nothing", async () => {
  const directory = join(folder, "twice");
  const answers: string[] = [];
  for (let round = 0; round < 2; round++) {
    const { code, stdout, stderr } = await census(["import", SAMPLE, "--data", directory]);
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Imported 4 configure expiration, 36 replace catalog, 456 store report, 38 replace facts, 32 /,
    );
    const { stdout: answer } = await census(["query", allReports, "--data", directory]);
    answers.push(answer);
  }
  expect(JSON.parse(answers[0] ?? "")).toHaveLength(456);
  expect(answers[1]).toBe(answers[0]);
});

it("stores what the configuration says", async () => {
  const config = join(folder, "blocklist.ini");
  writeFileSync(config, "[database]\nfacts-blocklist = secret\n");
  const path = await archive("secret.tgz", tgz([metadata, facts("web-01.example.com", '{"kept":1,"secret":2}')]));
  const directory = join(folder, "configured");
  expect(await census(["import", path, "--data", directory, "--config", config])).toMatchObject({ code: 0 });
  expect(await factsIn(directory)).toStrictEqual(before);
});
