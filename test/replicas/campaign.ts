import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Random } from "#fixtures/random.ts";
import { Store } from "#storage/store.ts";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";

const names = ["one", "two", "three"];

/** More kills than a short campaign has, which sends less. */
const LONG = 10;

interface Status {
  readonly status: { readonly command_log: { readonly position: number } };
}

export interface Campaign {
  /** A folder of the test. */
  readonly folder: string;
  readonly seed: number;
  /** Servers that are killed, one after the other. */
  readonly kills: number;
  /** The kill at which it is the log's turn in any case; `always`: servers are not killed. */
  readonly logsTurn: number | "always";
  /** The address of the log for a server. @param place among the three */
  readonly address: (place: number) => string;
  /** Kills the log, or its leader, and starts it again. @param pauseBefore milliseconds before it is started again */
  readonly killLog: (pauseBefore: number) => Promise<void>;
  /** The id of the last entry of the log. */
  readonly head: () => Promise<number>;
  /** Milliseconds for which clients wait for an answer; default 15 s. */
  readonly limit?: number;
}

/** What became of a campaign. */
export interface Outcome {
  /** Of each server: commands that were acknowledged and are lost, doubled or damaged. */
  readonly judged: readonly ReturnType<Ledger["judge"]>[];
  /** The servers that have something else than the first, by their places. */
  readonly different: Readonly<Record<"facts" | "catalogs" | "fingerprints", readonly number[]>>;
  readonly acknowledged: number;
  /** After each kill, milliseconds that the slowest command took that was answered before the next one. */
  readonly slowest: readonly number[];
}

/** What a campaign must have found. */
export const nothingWrong = {
  judged: names.map(() => ({ lost: [], doubled: [], damaged: [] })),
  different: { facts: [], catalogs: [], fingerprints: [] },
};

/**
 * Kills one of three servers that share a log, or the log, again and again under load. Afterwards each command that was
 * acknowledged must be there once on all three, and all three must have one fingerprint.
 */
export async function campaign(options: Campaign): Promise<Outcome> {
  const { folder, seed, kills, logsTurn, address, killLog, head, limit } = options;
  const random = new Random(seed, "replicas");
  const ledger = new Ledger();
  const slowest: number[] = [];
  const load = new Load({
    maker: new CommandMaker(seed),
    ledger,
    random,
    senders: 2,
    pause: kills > LONG ? 20 : 80,
    ...(limit === undefined ? {} : { limit }),
    onAnswer: (ms) => slowest.push(Math.max(slowest.pop() ?? 0, ms)),
  });
  const start = (name: string, place: number): Server => {
    const words = ["--command-log", address(place), "--gc-interval", "0"];
    return startServer({ directory: join(folder, name), now: NOW, words });
  };
  const servers = names.map(start);
  await using _ending = { [Symbol.asyncDispose]: () => endAll(servers) };
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
  for (let kill = 0; kill < kills; kill++) {
    await pause(random.integer(500, 2000));
    slowest.push(0);
    const isLogsTurn = logsTurn === "always" || logsTurn === kill;
    const place = isLogsTurn ? names.length : random.integer(0, names.length);
    if (place === names.length) {
      await killLog(random.integer(0, 1500));
      continue;
    }
    await servers[place]?.kill();
    servers[place] = start(names[place] ?? "", place);
    await servers[place].ready;
  }
  await pause(1000);
  ending.abort();
  await Promise.all(running);
  const urls = await Promise.all(servers.map(async ({ ready }) => (await ready).plain));
  const ms = await caughtUp(urls, await head());
  const stored = await Promise.all(urls.map(storedIn));
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  const fingerprints = [];
  for (const name of names) {
    const store = await Store.open({ directory: join(folder, name), readOnly: true });
    fingerprints.push(await store.fingerprint());
    await store.close();
  }
  const counts = `${ledger.count("acknowledged")} acknowledged, ${ledger.count("unknown")} without an answer`;
  process.stderr.write(
    `${kills} kills: ${counts}, ${ledger.count("refused")} refused; equal after ${Math.round(ms)} ms; ` +
      `slowest after each kill: ${slowest.slice(1).map(Math.round).join(" ")} ms\n`,
  );
  return {
    judged: stored.map((each) => ledger.judge(each)),
    different: {
      facts: differentOf(stored.map(({ facts }) => facts)),
      catalogs: differentOf(stored.map(({ catalogs }) => catalogs)),
      fingerprints: differentOf(fingerprints),
    },
    acknowledged: ledger.count("acknowledged"),
    slowest: slowest.slice(1),
  };
}

/** Ends servers that a campaign leaves behind which fails. */
async function endAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.filter((server) => server.end() === undefined).map((server) => server.kill()));
}

/** The places of values that differ from the first. */
function differentOf(values: readonly unknown[]): number[] {
  return values.flatMap((value, place) => (isDeepStrictEqual(value, values[0]) ? [] : [place]));
}

/** Waits until all servers have stored as much as the log has. @returns milliseconds */
async function caughtUp(urls: readonly string[], head: number): Promise<number> {
  const started = performance.now();
  for (const url of urls) {
    while ((await positionOf(url)) < head) await pause(20);
    await settle(url);
  }
  return performance.now() - started;
}

/** How far a server has stored its log. */
export async function positionOf(url: string): Promise<number> {
  using connection = new Connection(url);
  const { text } = await connection.send("GET", "/status/v1/services/puppetdb-status");
  return (JSON.parse(text) as Status).status.command_log.position;
}
