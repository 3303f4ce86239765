import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { databaseFile } from "#storage/store-database.ts";
import { Connection } from "#test/campaign/http.ts";
import { NOW } from "#test/campaign/commands.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { census } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

interface LogStatus {
  readonly head: number;
  readonly synchronous: boolean;
  readonly settings: Readonly<Record<string, string>>;
  readonly servers: readonly { readonly name: string; readonly position: number; readonly running: boolean }[];
}

interface Verified {
  readonly servers: readonly {
    readonly name: string;
    readonly differs_from: readonly { readonly name: string; readonly tables: readonly string[] }[];
  }[];
  readonly silent: readonly string[];
}

async function send(url: string, name: string, value: number): Promise<void> {
  using connection = new Connection(url);
  const payload = { certname: name, environment: "production", producer: "a", values: { value } };
  const query = `command=replace_facts&version=5&certname=${name}&secondsToWaitForCompletion=20`;
  const body = JSON.stringify({ ...payload, producer_timestamp: "2026-11-20T00:00:00Z" });
  const answer = await connection.send("POST", `/pdb/cmd/v1?${query}`, body);
  expect(answer.text).toContain('"processed" : true');
}

async function valueOf(url: string, name: string): Promise<number | undefined> {
  using connection = new Connection(url);
  const rows = await connection.rows<{ value: number }>("facts", ["=", "certname", name]);
  return rows[0]?.value;
}

/** What Prometheus reads of the log. */
async function figures(url: string): Promise<Record<string, number>> {
  using connection = new Connection(url);
  const { text } = await connection.send("GET", "/metrics");
  const lines = text.matchAll(/^census_command_log_(\w+) (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, name = "", value]) => [name, Number(value)]));
}

describe.skipIf(isWithoutPostgres("the operation of a shared log"))("census command-log", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: Postgres;
  const running = new Map<string, Server>();
  beforeAll(async () => {
    folder = await temporaryFolder();
    postgres = await Postgres.start(folder.path);
    changed = place("changed.ini");
    writeFileSync(changed, "[database]\nresource-events-ttl = 5d\n");
  });
  afterAll(async () => {
    for (const server of running.values()) await server.kill();
    await postgres[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const place = (name: string): string => join(folder.path, name);
  let changed = "";
  let address = "";

  async function start(name: string, ...words: readonly string[]): Promise<string> {
    const all = ["--command-log", address, "--gc-interval", "0", ...words];
    const server = startServer({ directory: place(name), now: NOW, words: all });
    running.set(name, server);
    return (await server.ready).plain;
  }

  async function stop(name: string): Promise<void> {
    expect(await running.get(name)?.kill("SIGTERM")).toBe("exit code 0");
    running.delete(name);
  }

  async function run(...words: readonly string[]) {
    const { code, stdout, stderr } = await census(["command-log", ...words, "--command-log", address]);
    return { code, stdout, stderr, json: (): unknown => JSON.parse(stdout) };
  }

  it("creates a log, once", async () => {
    address = postgres.address();
    const before = await run("status");
    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining("census command-log create makes one")]);
    const { code, stdout } = await run("create");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/"log": "[\da-f-]{36}"/)]);
    const again = await run("create");
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("has a command log already")]);
  });

  it("lists the servers, lets another one join, and finds them equal", async () => {
    const one = await start("one");
    for (const value of [1, 2]) await send(one, `node${value}`, value);
    const joined = await run("join", "--url", one, "--data", place("two"));
    expect([joined.code, joined.stderr]).toEqual([0, ""]);
    expect(joined.json()).toMatchObject({ position: 2, head: 2, file: join(place("two"), databaseFile) });
    const twice = await run("join", "--url", one, "--data", place("two"));
    expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining("has data already")]);
    const two = await start("two");
    await send(two, "node3", 3);
    const verified = await run("verify");
    const { servers, silent } = verified.json() as Verified;
    expect(silent).toEqual([]);
    expect(servers.map(({ name }) => name.split("/").at(-1))).toEqual(["one", "two"]);
    expect(servers.flatMap(({ differs_from: others }) => others)).toEqual([]);
    expect(verified.code).toBe(0);
    while ((await figures(one))["differing_servers"] === undefined) await pause(200);
    expect(await figures(one)).toMatchObject({ position: 4, behind: 0, behind_seconds: 0, differing_servers: 0 });
    expect((await figures(one))["silent_seconds"]).toBeLessThan(10);
    const { code, json } = await run("status");
    expect(code).toBe(0);
    const status = json() as LogStatus;
    expect(status).toMatchObject({ head: 4, synchronous: false, settings: { "history-ttl": "above 0s" } });
    expect(status.servers.map(({ name, running: runs }) => [name.split("/").at(-1), runs])).toEqual([
      ["one", true],
      ["two", true],
    ]);
  });

  it("finds a server whose data somebody has changed, which says so itself", async () => {
    await stop("two");
    const database = await Database.open({ path: join(place("two"), databaseFile) });
    await database.execute("UPDATE producers SET name = 'somebody else' WHERE name = 'a'");
    await database.close();
    const two = await start("two");
    const verified = await run("verify");
    expect(verified.code).toBe(1);
    const { servers } = verified.json() as Verified;
    for (const { differs_from: others } of servers) expect(others).toMatchObject([{ tables: ["producers"] }]);
    while (!(running.get("two")?.log() ?? "").includes("had stored different data")) await pause(100);
    expect((await figures(two))["differing_servers"]).toBe(1);
    // It begins again with a copy of the other.
    await stop("two");
  });

  it("changes settings while no server runs and all have stored the log, and not otherwise", async () => {
    const change = async () => run("settings", "--yes", "--config", changed);
    await expect(start("two", "--config", changed)).rejects.toThrow(/resource-events-ttl is "432000s" here/);
    running.delete("two");
    const early = await change();
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("stop all of them first")]);
    await send((await running.get("one")?.ready)?.plain ?? "", "node4", 4);
    const { servers } = JSON.parse((await run("status")).stdout) as { servers: { name: string }[] };
    const [here = ""] = servers.map((server) => server.name).filter((server) => server.endsWith("one"));
    // It runs: a mistyped name must not remove it.
    expect(await run("forget", here)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/was seen \d+ s ago and may be running: needs --yes/) as string,
    });
    await stop("one");
    const late = await change();
    expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/not all servers have stored .*two is at \d/)]);
    const name = /(\S+two) is at/.exec(late.stderr)?.[1] ?? "";
    expect((await run("forget", "nobody")).stderr).toContain("no server nobody follows the log");
    expect(await run("forget", name, "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(await change()).toMatchObject({ code: 0, stderr: "" });
    const one = await start("one", "--config", changed);
    expect(await valueOf(one, "node4")).toBe(4);
  });

  it("begins a new log with what was exported from a server, after the database was restored to an earlier state", async () => {
    const one = (await running.get("one")?.ready)?.plain ?? "";
    postgres.sql("DELETE FROM census_command_log WHERE seq >= (SELECT max(seq) FROM census_command_log)");
    postgres.sql("SELECT setval('census_command_log_seq', (SELECT max(seq) FROM census_command_log))");
    await stop("one");
    await expect(start("one", "--config", changed)).rejects.toThrow("was restored to an earlier state");
    running.delete("one");
    // As in docs/high-availability.md: export, a new database, new data directories, import.
    const archive = place("all.tgz");
    expect(await census(["export", archive, "--data", place("one")])).toMatchObject({ code: 0 });
    postgres.sql("CREATE DATABASE second");
    address = postgres.address().replace(/postgres$/, "second");
    mkdirSync(place("new"));
    const [first, other] = [await start("new/one"), await start("new/two")];
    const imported = await census(["import", archive, "--url", first]);
    expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
    for (const url of [first, other]) {
      while ((await valueOf(url, "node4")) === undefined) await pause(50);
      expect(await Promise.all([1, 2, 3, 4].map((value) => valueOf(url, `node${value}`)))).toEqual([1, 2, 3, 4]);
    }
    expect((await run("verify")).code).toBe(0);
    expect(one).not.toBe(first);
  });
});
