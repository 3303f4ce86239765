import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { Random } from "#fixtures/random.ts";
import { messageOf } from "#storage/errors.ts";
import { Store } from "#storage/store.ts";
import { CommandMaker, NOW } from "#test/campaign/commands.ts";
import { Connection } from "#test/campaign/http.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import { Ledger } from "#test/campaign/ledger.ts";
import { Load } from "#test/campaign/load.ts";
import { type Server, startServer } from "#test/campaign/server.ts";
import type { Failure } from "./failure.ts";
import { compareServers, isWithoutRecordings, sendRecordedNodes } from "./recorded.ts";

const names = ["one", "two", "three"];

/** Clients of each server, and how many nodes each client sends commands about. */
const [CLIENTS, NODES] = [4, 300];

/** Commands that all clients send in a second. */
const RATE = 100;

interface Status {
  readonly status: { readonly command_log: { readonly position: number } };
}

export interface Campaign {
  /** A folder of the test. */
  readonly folder: string;
  readonly seed: number;
  /** Failures, one after the other: of the servers, which are killed, and of the log. */
  readonly failures: number;
  /** The address of the log for a server. @param place among the three */
  readonly address: (place: number) => string;
  /** What of the log can fail. */
  readonly ofLog: readonly Failure[];
  /** Resolves when the log is as before the failures, with the help of an administrator where it needs one. */
  readonly recovered?: () => Promise<unknown>;
  /** The id of the last entry of the log. */
  readonly head: () => Promise<number>;
  /** Milliseconds for which clients wait for an answer; default 15 s. */
  readonly limit?: number;
}

/** What became of a campaign. */
export interface Outcome {
  /** Of each server: commands that were acknowledged and are lost, doubled or damaged. */
  readonly judged: readonly ReturnType<Ledger["judge"]>[];
  /** The servers that have something else than the first, by their places; and answers that differ. */
  readonly different: Readonly<Record<"facts" | "catalogs" | "fingerprints", readonly number[]>> & {
    readonly answers: readonly string[];
  };
  readonly acknowledged: number;
}

/** What a campaign must have found. */
export const nothingWrong = {
  judged: names.map(() => ({ lost: [], doubled: [], damaged: [] })),
  different: { facts: [], catalogs: [], fingerprints: [], answers: [] },
};

/**
 * Lets one of three servers that share a log fail, or the log, again and again under load. Afterwards each command that was
 * acknowledged must be there once on all three, and all three must have one fingerprint and the same answers.
 */
export async function campaign(options: Campaign): Promise<Outcome> {
  const { seed, head, limit } = options;
  const random = new Random(seed, "replicas");
  const ledger = new Ledger();
  const slowest: number[] = [];
  let answered = 0;
  const load = new Load({
    maker: new CommandMaker(seed),
    ledger,
    random,
    senders: CLIENTS,
    nodes: NODES,
    interval: (1000 * CLIENTS * names.length) / RATE,
    ...(limit === undefined ? {} : { limit }),
    onAnswer: (ms) => {
      answered = performance.now();
      slowest.push(Math.max(slowest.pop() ?? 0, ms));
    },
  });
  const servers = new Servers(options);
  await using _ending = servers;
  const first = await servers.ready();
  const comparesAnswers = !isWithoutRecordings();
  if (comparesAnswers) await sendRecordedNodes(first);
  const ending = new AbortController();
  const running = names.map(async (_, place) => {
    while (!ending.signal.aborted) {
      const url = servers.urlFor(place);
      if (url === undefined) await pause(50);
      else await load.run(url, ending.signal);
    }
  });
  for (const failure of chosen([...servers.failures(), ...options.ofLog], options.failures, random)) {
    await pause(random.integer(500, 2000));
    slowest.push(0);
    const started = performance.now();
    await failure.strike(random.integer(0, 1500));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stderr.write(`${slowest.length - 1}: ${failure.what} (${seconds} s)\n`);
  }
  await options.recovered?.();
  await pause(1000);
  ending.abort();
  await Promise.all(running);
  const urls = servers.urls();
  await caughtUp(urls, await head());
  const equalAfter = performance.now() - answered;
  const stored = await Promise.all(urls.map(storedIn));
  const answers = comparesAnswers ? await compareServers(urls) : { queries: 0, different: [] };
  const fingerprints = await servers.fingerprints();
  const counts = `${ledger.count("acknowledged")} acknowledged, ${ledger.count("unknown")} without an answer`;
  process.stderr.write(
    `${options.failures} failures: ${counts}, ${ledger.count("refused")} refused; equal after ${Math.round(equalAfter)} ms; ` +
      `${answers.queries} queries compared; slowest after each: ${slowest.slice(1).map(Math.round).join(" ")} ms\n`,
  );
  return {
    judged: stored.map((each) => ledger.judge(each)),
    different: {
      facts: differentOf(stored.map(({ facts }) => facts)),
      catalogs: differentOf(stored.map(({ catalogs }) => catalogs)),
      fingerprints: differentOf(fingerprints),
      answers: answers.different,
    },
    acknowledged: ledger.count("acknowledged"),
  };
}

/** Failures at random, each of them once before one comes again. */
function* chosen(all: readonly Failure[], count: number, random: Random): Generator<Failure> {
  let left: Failure[] = [];
  for (let number = 0; number < count; number++) {
    if (left.length === 0) left = [...all];
    const [failure] = left.splice(random.integer(0, left.length - 1), 1);
    if (failure !== undefined) yield failure;
  }
}

/** The three servers of a campaign. */
class Servers implements AsyncDisposable {
  readonly #options: Campaign;
  readonly #servers: Server[];
  /** Of those that run. */
  readonly #urls: (string | undefined)[] = [];

  constructor(options: Campaign) {
    this.#options = options;
    this.#servers = names.map((_, place) => this.#start(place));
  }

  /** Resolves with the address of the first server once all can be reached. */
  async ready(): Promise<string> {
    for (const place of names.keys()) await this.#reached(place);
    return this.urls()[0] ?? "";
  }

  /** The addresses of those that run. */
  urls(): readonly string[] {
    return this.#urls.filter((url) => url !== undefined);
  }

  /** The address that a client uses: that of its own server, or of another one while its own is away. */
  urlFor(place: number): string | undefined {
    return this.#urls[place] ?? this.urls()[0];
  }

  /** That each of them is killed. */
  failures(): readonly Failure[] {
    return names.map((name, place) => ({
      what: `Census ${name}`,
      strike: async (ms) => {
        this.#urls[place] = undefined;
        await this.#servers[place]?.kill();
        await pause(ms);
        this.#servers[place] = this.#start(place);
        await this.#reached(place);
      },
    }));
  }

  /** Stops all of them, then returns a checksum of all rows of each. */
  async fingerprints(): Promise<readonly unknown[]> {
    await Promise.all(this.#servers.map((server) => server.kill("SIGTERM")));
    const fingerprints = [];
    for (const name of names) {
      const store = await Store.open({ directory: join(this.#options.folder, name), readOnly: true });
      fingerprints.push(await store.fingerprint());
      await store.close();
    }
    return fingerprints;
  }

  /** Ends those that a campaign leaves behind which fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#servers.filter((server) => server.end() === undefined).map((server) => server.kill()));
  }

  #start(place: number): Server {
    const { address, folder } = this.#options;
    const words = ["--command-log", address(place), "--gc-interval", "0"];
    return startServer({ directory: join(folder, names[place] ?? ""), now: NOW, words });
  }

  async #reached(place: number): Promise<void> {
    const ready = this.#servers[place]?.ready;
    this.#urls[place] = (
      await ready?.catch((error: unknown) => {
        throw new Error(`Census ${names[place]}: ${messageOf(error)}`, { cause: error });
      })
    )?.plain;
  }
}

/** The places of values that differ from the first. */
function differentOf(values: readonly unknown[]): number[] {
  return values.flatMap((value, place) => (isDeepStrictEqual(value, values[0]) ? [] : [place]));
}

/** Waits until all servers have stored as much as the log has. */
async function caughtUp(urls: readonly string[], head: number): Promise<void> {
  for (const url of urls) {
    while ((await positionOf(url)) < head) await pause(20);
    await settle(url);
  }
}

/** How far a server has stored its log. */
export async function positionOf(url: string): Promise<number> {
  using connection = new Connection(url);
  const { text } = await connection.send("GET", "/status/v1/services/puppetdb-status");
  return (JSON.parse(text) as Status).status.command_log.position;
}
