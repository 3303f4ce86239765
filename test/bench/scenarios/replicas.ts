import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CensusError } from "#storage/errors.ts";
import { isWithoutPostgres, Postgres } from "#test/replicas/postgres.ts";
import type { Bench } from "../bench.ts";
import { type CensusProcess, fromSource, startCensus } from "../census-process.ts";
import { benchFolder } from "../population.ts";
import { SampleBook, type Samples } from "../scenario.ts";
import { percentile } from "../statistics.ts";

/** Servers that share the log. */
const SERVERS = 3;

/** Commands a second, and seconds; those of the first seconds are not counted. */
const RATE = 100;
const SECONDS = 20;
const WARMING = 5;

/** Commands before that, one after another: servers that have just been started have most of their code to compile. */
const FIRST = 60;

/** One of this many commands is looked for on all servers. */
const LOOKED_FOR = 10;

/** How soon commands are acknowledged that are sent to three servers of one log by turns, and seen on all of them. */
export async function measureReplicas(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  if (isWithoutPostgres("servers that share a log")) return book.samples();
  for (let run = 0; run < bench.runs; run++) {
    const folder = mkdtempSync(join(tmpdir(), "census-replicas-"));
    const servers: CensusProcess[] = [];
    try {
      await using postgres = await Postgres.start(folder, { isDurable: true });
      for (let number = 0; number < SERVERS; number++) {
        const directory = join(benchFolder, "replicas", String(number));
        rmSync(directory, { recursive: true, force: true });
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const now = new Date(bench.now).toISOString();
        const words = ["--command-log", postgres.address()];
        servers.push(await startCensus(directory, now, fromSource(bench.profile), words));
      }
      const { acknowledged, seen } = await load(
        servers.map(({ url }) => url),
        bench.now,
      );
      book.add("acknowledged, median", percentile(acknowledged, 0.5));
      book.add("acknowledged, 99th percentile", percentile(acknowledged, 0.99));
      book.add("seen on all, median", percentile(seen, 0.5));
      book.add("seen on all, 95th percentile", percentile(seen, 0.95));
    } finally {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return book.samples();
}

interface Times {
  /** Milliseconds from sending a command to its acknowledgement. */
  readonly acknowledged: number[];
  /** Milliseconds from sending a command until all servers return what it stored. */
  readonly seen: number[];
}

/** Sends commands at a steady rate, whether those before are answered or not. */
async function load(urls: readonly string[], now: number): Promise<Times> {
  const times: Times = { acknowledged: [], seen: [] };
  for (let number = 0; number < FIRST; number++) await sendOne(urls, -number * LOOKED_FOR, now, undefined);
  const begun = performance.now();
  const sending: Promise<void>[] = [];
  for (let number = 0; number < RATE * SECONDS; number++) {
    await pause(Math.max(0, begun + (number * 1000) / RATE - performance.now()));
    const sent = sendOne(urls, number, now, number < RATE * WARMING ? undefined : times);
    // A failure is thrown below, so that the servers are stopped.
    sent.catch(() => undefined);
    sending.push(sent);
  }
  await Promise.all(sending);
  return times;
}

async function sendOne(urls: readonly string[], number: number, now: number, times: Times | undefined): Promise<void> {
  const certname = `node${number}.example.com`;
  const values = {
    number,
    kernel: "Linux",
    ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`fact${n}`, n])),
  };
  const body = JSON.stringify({
    certname,
    environment: "production",
    producer: "bench",
    producer_timestamp: new Date(now).toISOString(),
    values,
  });
  const sent = performance.now();
  const address = `${urls[Math.abs(number) % urls.length]}/pdb/cmd/v1?command=replace_facts&version=5&certname=${certname}`;
  const answer = await fetch(address, { method: "POST", headers: { "content-type": "application/json" }, body });
  const position = answer.headers.get("x-census-position");
  const text = await answer.text();
  if (!answer.ok || position === null)
    throw new CensusError("bad-file", `a command was answered ${answer.status}: ${text}`);
  times?.acknowledged.push(performance.now() - sent);
  if (number % LOOKED_FOR !== 0) return;
  const headers = { "x-census-position": position };
  await Promise.all(
    urls.map(async (url) => {
      const found = await fetch(`${url}/pdb/query/v4/nodes/${certname}`, { headers });
      const body = await found.text();
      if (!found.ok)
        throw new CensusError("bad-file", `${url} answered ${found.status} about ${certname}: ${body.slice(0, 300)}`);
    }),
  );
  times?.seen.push(performance.now() - sent);
}
