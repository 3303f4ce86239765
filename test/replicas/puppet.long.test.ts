import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { runScript } from "#test/clients/run.ts";
import { canRun, clientsFolder } from "#test/clients/tools.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { Pair, stored } from "./pair.ts";
import { isWithoutPostgres } from "./postgres.ts";

const what = "Puppet with two server_urls";
const isLeftOut = [isWithoutPostgres(what), !canRun(what, ["puppet", "terminus", "openssl"], "puppet-run.sh")].some(
  Boolean,
);

/** Runs of agents with a real Puppet server, which takes minutes: `REPLICA_AGENT_RUNS=24`. */
const agentRuns = Number(process.env["REPLICA_AGENT_RUNS"] ?? 0);
const isWithoutPuppetServer =
  agentRuns === 0 || !canRun("a Puppet server with two server_urls", ["puppetserver"], "puppetserver-run.sh");

const nodes = ["a.example.test", "b.example.test"];
const site = (): string => resolve(clientsFolder(), "site.pp");

/** A killed server is there again after the run that follows. */
const killedDuring: ReadonlyMap<number, number> = new Map([
  [1, 0],
  [3, 1],
]);

describe.skipIf(isLeftOut)("two Census servers in server_urls of Puppet", () => {
  it("are one: a run during which either is killed does not fail, and both have all of it", async () => {
    await using folder = await temporaryFolder();
    await using pair = await Pair.start(folder.path);
    const workdir = join(folder.path, "files");
    mkdirSync(workdir);
    for (let run = 0; run < 6; run++) {
      const certname = nodes[run % 2] ?? "";
      const words = [pair.urls, ...pair.credentials, certname, "apply", site()];
      const applied = runScript("puppet-run.sh", words, { FACTER_workdir: workdir, FACTER_run: `run ${run}` });
      const victim = pair.servers[killedDuring.get(run) ?? -1];
      await pause(2000);
      await victim?.kill();
      const { code, stderr } = await applied;
      expect({ code, stderr }, `run ${run}`).toMatchObject({ code: 2 });
      const reports = { length: Math.floor(run / 2) + 1 };
      for (const server of pair.running) {
        expect(await stored(server, certname, reports.length)).toMatchObject({
          reports,
          facts: { run: `run ${run}` },
        });
      }
      if (victim === undefined) await pair.restart();
    }
    for (const server of pair.servers) {
      for (const certname of nodes) expect(await stored(server, certname, 3)).toMatchObject({ reports: { length: 3 } });
    }
    const [one, other] = await pair.contents();
    expect(one).toBe(other);
  });
});

describe.skipIf(isWithoutPuppetServer)("two Census servers in server_urls of a Puppet server", () => {
  it(
    "are one: no run of an agent fails while they are killed by turns, and both have all of it",
    { timeout: 300_000 + agentRuns * 60_000 },
    async () => {
      await using folder = await temporaryFolder();
      await using pair = await Pair.start(folder.path);
      const workdir = join(folder.path, "files");
      mkdirSync(workdir);
      const names = Array.from({ length: agentRuns }, (_, run) => nodes[run % 2] ?? "");
      const words = [pair.urls, ...pair.credentials, site(), ...names];
      const script = spawn(resolve(clientsFolder(), "puppetserver-run.sh"), words, {
        env: { ...process.env, FACTER_workdir: workdir },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let [runs, kills, warnings] = [0, 0, ""];
      script.stderr.setEncoding("utf8").on("data", (piece: string) => (warnings += piece));
      const ended = once(script, "close");
      for await (const line of createInterface(script.stdout)) {
        if (!line.includes("Using environment")) continue;
        // A run begins. A server is killed during one of three, is not there in the next, and is started in the one after that.
        const run = runs++;
        if (run % 3 === 0) await pair.restart();
        if (run % 3 !== 1) continue;
        await pause((run * 700) % 4000);
        await pair.servers[kills++ % 2]?.kill();
      }
      const [code] = await ended;
      expect({ code, warnings }).toMatchObject({ code: 0 });
      expect(runs).toBe(agentRuns);
      await pair.restart();
      for (const server of pair.servers) {
        for (const certname of nodes) {
          const reports = { length: names.filter((name) => name === certname).length };
          expect(await stored(server, certname, reports.length)).toMatchObject({ reports });
        }
      }
      const [one, other] = await pair.contents();
      expect(one).toBe(other);
      process.stderr.write(`${runs} runs of agents, ${kills} kills: none failed\n`);
    },
  );
});
