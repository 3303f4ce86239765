import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFile } from "#storage/store-database.ts";
import { NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { census } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isWithoutNats, Nats } from "./nats.ts";

interface LogStatus {
  readonly servers: readonly { readonly name: string; readonly position: number; readonly running: boolean }[];
}

async function send(url: string, name: string): Promise<void> {
  using connection = new Connection(url);
  const payload = { certname: name, environment: "production", producer: "a", values: { value: 1 } };
  const query = `command=replace_facts&version=5&certname=${name}&secondsToWaitForCompletion=20`;
  const body = JSON.stringify({ ...payload, producer_timestamp: "2026-11-20T00:00:00Z" });
  expect((await connection.send("POST", `/pdb/cmd/v1?${query}`, body)).text).toContain('"processed" : true');
}

describe.skipIf(isWithoutNats("the operation of a log in JetStream"))(
  "census command-log with JetStream",
  { timeout: 120_000 },
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let nats: Nats;
    const running = new Map<string, Server>();
    beforeAll(async () => {
      folder = await temporaryFolder();
      nats = await Nats.start(folder.path);
    });
    afterAll(async () => {
      for (const server of running.values()) await server.kill();
      await nats[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    });

    const place = (name: string): string => join(folder.path, name);

    async function start(name: string, ...words: readonly string[]): Promise<string> {
      const all = ["--command-log", nats.address("operated"), "--gc-interval", "0", ...words];
      const server = startServer({ directory: place(name), now: NOW, words: all });
      running.set(name, server);
      return (await server.ready).plain;
    }

    async function stop(name: string): Promise<void> {
      expect(await running.get(name)?.kill("SIGTERM")).toBe("exit code 0");
      running.delete(name);
    }

    async function run(...words: readonly string[]) {
      const { code, stdout, stderr } = await census([
        "command-log",
        ...words,
        "--command-log",
        nats.address("operated"),
      ]);
      return { code, stdout, stderr, json: (): unknown => JSON.parse(stdout) };
    }

    it("creates a log, once", async () => {
      const before = await run("status");
      expect([before.code, before.stderr]).toEqual([1, expect.stringContaining("census command-log create makes one")]);
      const { code, stdout } = await run("create");
      expect([code, stdout]).toEqual([0, expect.stringMatching(/"log": "[\da-f-]{36}"/)]);
      const again = await run("create");
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("there is a command log already")]);
    });

    it("lists the servers, lets another one join, and finds them equal", async () => {
      const one = await start("one");
      for (const name of ["node1", "node2"]) await send(one, name);
      const joined = await run("join", "--url", one, "--data", place("two"));
      expect([joined.code, joined.stderr]).toEqual([0, ""]);
      expect(joined.json()).toMatchObject({ position: 2, head: 2, file: join(place("two"), databaseFile) });
      await send(await start("two"), "node3");
      const verified = await run("verify");
      expect([verified.code, verified.json()]).toMatchObject([0, { position: 4, silent: [] }]);
      const { code, json, stdout } = await run("status");
      expect([code, stdout]).toEqual([0, expect.stringContaining('"synchronous": false')]);
      const { servers } = json() as LogStatus;
      expect(servers.map(({ name, running: runs }) => [name.split("/").at(-1), runs])).toEqual([
        ["one", true],
        ["two", true],
      ]);
      const text = await run("status", "--output", "table");
      expect(text.stdout).toMatch(/^commits +wait for one server$/m);
    });

    it("changes settings while no server runs and all have stored the log, and not otherwise", async () => {
      const change = async () => run("settings", "--yes");
      const early = await change();
      expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("stop all of them first")]);
      await stop("two");
      await send((await running.get("one")?.ready)?.plain ?? "", "node4");
      await stop("one");
      const late = await change();
      expect([late.code, late.stderr]).toEqual([
        1,
        expect.stringMatching(/not all servers have stored .*two is at \d/),
      ]);
      const name = /(\S+two) is at/.exec(late.stderr)?.[1] ?? "";
      expect((await run("forget", "nobody")).stderr).toContain("no server nobody follows the log");
      expect(await run("forget", name)).toMatchObject({ code: 0, stderr: "" });
      expect(await change()).toMatchObject({ code: 0, stderr: "" });
    });
  },
);
