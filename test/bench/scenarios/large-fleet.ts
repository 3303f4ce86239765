import { hash } from "node:crypto";
import { rmSync } from "node:fs";
import { awaitIdle } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import { type CensusProcess, fromSource, startCensus } from "../census-process.ts";
import { COMMANDS_PER_RUN, largeFleet } from "../fleet/large-fleet.ts";
import { copyOf, storedFleet } from "../fleet-hour/stored-fleet.ts";
import { atRest } from "../machine.ts";
import type { Options } from "../options.ts";
import { type PeerQuery, peerQueries } from "../peer/queries.ts";
import { CommandPoster, type WireCommand } from "../posting.ts";
import { processorSeconds, processorTime } from "../processor-time.ts";
import { SampleBook, type Scenario } from "../scenario.ts";
import { CONNECTIONS } from "../send-work.ts";
import { answerTimes, WireConnection } from "../wire.ts";

/** New nodes in a repetition, and those before the first one, until the server gets no faster. */
const NODES = { measured: 1000, warmUp: 1000 };

/** An answer takes at most this long at that size, ms: what people feel. */
const PROMPT = 1000;

const TIMES = { warmUps: 3, runs: 20 };

/** Single commands and queries beside a large fleet, which {@link fleetHourScenario} has stored. */
export function largeFleetScenario({ hour, oracle }: Pick<Options, "hour" | "oracle">): Scenario {
  const queries = peerQueries(oracle);
  const ofQueries = queries.map(({ id }) => [id, { unit: "milliseconds", target: { atMost: PROMPT } }] as const);
  return {
    name: "large-fleet",
    shows: `processor time of commands, and duration of queries, beside ${hour.nodes} nodes`,
    isLong: true,
    metrics: {
      "new commands": { unit: "ms/command" },
      "new commands, parsing and digest alone": { unit: "ms/command" },
      "unchanged facts": { unit: "ms/command" },
      "unchanged catalogs": { unit: "ms/command" },
      ...Object.fromEntries(ofQueries),
    },
    measure: async (bench) => {
      const fleet = await storedFleet(bench, hour.nodes);
      const directory = copyOf(fleet);
      const book = new SampleBook();
      try {
        await atRest();
        const server = await startCensus(directory, undefined, fromSource(bench.profile), ["--gc-interval", "0"]);
        try {
          await measureQueries(book, server.url, queries);
          await measureCommands(bench, book, server, hour.nodes);
        } finally {
          await server.close();
        }
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
      return book.samples();
    },
  };
}

async function measureQueries(book: SampleBook, url: string, queries: readonly PeerQuery[]): Promise<void> {
  const connection = await WireConnection.open(url);
  for (const { id, target } of queries) {
    for (const ms of await answerTimes(connection, target, TIMES)) book.add(id, ms);
  }
  connection.close();
}

async function measureCommands(bench: Bench, book: SampleBook, server: CensusProcess, first: number): Promise<void> {
  let node = first;
  const runs = (count: number): WireCommand[] => {
    const nodes = Array.from({ length: count }, () => node++);
    return nodes.flatMap((each) => largeFleet.run(each, 0, Date.now()));
  };
  await processorOf(server, runs(NODES.warmUp));
  for (let run = 1; run <= bench.runs; run++) {
    const commands = runs(NODES.measured);
    bench.progress(`commands ${run}/${bench.runs}`);
    book.add("new commands", await processorOf(server, commands));
    book.add("new commands, parsing and digest alone", await parsingAlone(commands));
    for (const [place, kind] of ["facts", "catalogs"].entries()) {
      const again = commands.filter((_, index) => index % COMMANDS_PER_RUN === place).map(producedNow);
      book.add(`unchanged ${kind}`, await processorOf(server, again));
    }
  }
}

/** The same content, sent in a later run. */
function producedNow({ target, body }: WireCommand): WireCommand {
  const now = new Date().toISOString();
  const later = body.toString().replace(/"producer_timestamp":"[^"]*"/, `"producer_timestamp":"${now}"`);
  const path = target.replace(/producer-timestamp=[^&]*/, `producer-timestamp=${encodeURIComponent(now)}`);
  return { target: path, body: Buffer.from(later) };
}

/** Sends commands and waits until they are stored. @returns the server's processor time for each, in ms */
async function processorOf({ url, pid }: CensusProcess, commands: readonly WireCommand[]): Promise<number | undefined> {
  await atRest();
  const before = processorSeconds(pid);
  const poster = await CommandPoster.open(url, CONNECTIONS);
  try {
    await poster.postAll(commands);
  } finally {
    poster.close();
  }
  await awaitIdle(url);
  const after = processorSeconds(pid);
  return before === undefined || after === undefined ? undefined : ((after - before) * 1000) / commands.length;
}

/** The same in this process for what is least to do: `JSON.parse`, and the SHA-1 by which content is recognised. */
async function parsingAlone(commands: readonly WireCommand[]): Promise<number> {
  const time = await processorTime(async () => {
    for (const { body } of commands) {
      JSON.parse(body.toString());
      hash("sha1", body);
    }
  });
  return time / commands.length;
}
