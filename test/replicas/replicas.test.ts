import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { Store } from "#storage/store.ts";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

/** Kills in the campaign; `REPLICA_KILLS=200` for a long one. */
const KILLS = Number(process.env["REPLICA_KILLS"] ?? 4);
const SEED = Number(process.env["REPLICA_SEED"] ?? 1);

const names = ["one", "two", "three"];

interface Status {
  readonly state: string;
  readonly status: { readonly command_log: { readonly position: number; readonly behind: number } };
}

async function statusOf(url: string): Promise<Status> {
  using connection = new Connection(url);
  const { text } = await connection.send("GET", "/status/v1/services/puppetdb-status");
  return JSON.parse(text) as Status;
}

/** Waits until all servers have stored as much as PostgreSQL has. */
async function caughtUp(urls: readonly string[], postgres: Postgres): Promise<number> {
  const head = Number(postgres.sql("SELECT max(seq) FROM census_command_log"));
  const started = performance.now();
  for (const url of urls) {
    while ((await statusOf(url)).status.command_log.position < head) await pause(20);
    await settle(url);
  }
  return performance.now() - started;
}

describe.skipIf(isWithoutPostgres("servers that share a log"))("three servers that share a log", () => {
  it(
    "lose and repeat nothing that was acknowledged, whichever process is killed, and are equal afterwards",
    { timeout: 120_000 + KILLS * 30_000 },
    async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const random = new Random(SEED, "replicas");
      const ledger = new Ledger();
      const load = new Load({ maker: new CommandMaker(SEED), ledger, random, senders: 2, pause: 20 });
      const start = (name: string): Server =>
        startServer({
          directory: join(folder.path, name),
          now: NOW,
          words: ["--command-log", postgres.address(), "--gc-interval", "0"],
        });
      const servers = names.map(start);
      const ending = new AbortController();
      const running = servers.map(async (_, place) => {
        while (!ending.signal.aborted) {
          const server = servers[place];
          const urls = await server?.ready.catch(() => undefined);
          if (urls === undefined) await pause(50);
          else await load.run(urls.plain, ending.signal);
        }
      });
      await Promise.all(servers.map(({ ready }) => ready));
      for (let kill = 0; kill < KILLS; kill++) {
        await pause(random.integer(500, 2000));
        // A short campaign kills PostgreSQL too.
        const place = kill === 1 ? names.length : random.integer(0, names.length);
        if (place === names.length) {
          await postgres.kill();
          await pause(random.integer(0, 1500));
          await postgres.restart();
          continue;
        }
        await servers[place]?.kill();
        servers[place] = start(names[place] ?? "");
        await servers[place].ready;
      }
      await pause(1000);
      ending.abort();
      await Promise.all(running);
      const urls = await Promise.all(servers.map(async ({ ready }) => (await ready).plain));
      const ms = await caughtUp(urls, postgres);
      const stored = await Promise.all(urls.map(storedIn));
      for (const each of stored) {
        expect(ledger.judge(each)).toEqual({ lost: [], doubled: [], damaged: [] });
        expect(each.facts).toEqual(stored[0]?.facts);
        expect(each.catalogs).toEqual(stored[0]?.catalogs);
      }
      await Promise.all(servers.map((server) => server.kill("SIGTERM")));
      const fingerprints = [];
      for (const name of names) {
        const store = await Store.open({ directory: join(folder.path, name), readOnly: true });
        fingerprints.push(await store.fingerprint());
        await store.close();
      }
      const [first, ...others] = fingerprints;
      for (const other of others) expect(other).toStrictEqual(first);
      expect(ledger.count("acknowledged")).toBeGreaterThan(KILLS * 10);
      const counts = `${ledger.count("acknowledged")} acknowledged, ${ledger.count("unknown")} without an answer`;
      process.stderr.write(
        `${KILLS} kills: ${counts}, ${ledger.count("refused")} refused; equal after ${Math.round(ms)} ms\n`,
      );
    },
  );
});
