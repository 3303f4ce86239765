import { performance } from "node:perf_hooks";
import { Backlog } from "../fleet-hour/backlog.ts";
import { keepPace } from "../fleet-hour/pace.ts";
import { Latencies, type LatencySummary, Peaks } from "../fleet-hour/latencies.ts";
import { type LastingConnection, lastingConnections } from "../fleet-hour/lasting-connection.ts";
import { commandsPerSecond, durationOf, INTERVAL, intervalsOf, type Load, ownTime } from "../fleet-hour/plan.ts";
import { queueDepth } from "../fleet-hour/queue-metrics.ts";
import { COMMANDS_PER_RUN, largeFleet } from "../fleet/large-fleet.ts";
import type { WireCommand } from "../posting.ts";
import { percentile } from "../statistics.ts";
import { runJob } from "./job.ts";

/** What came of the commands. Times are in ms. */
export interface AgentsOutput {
  readonly accepted: number;
  /** of them those that were acknowledged before the end of the time */
  readonly inTime: number;
  readonly refused: number;
  /** the reason of the first that was refused */
  readonly refusal: string | undefined;
  /** from when a command was due until its acknowledgement */
  readonly acknowledged: LatencySummary;
  /** the longest wait from the acknowledgement until the command was stored, by interval */
  readonly waiting: readonly (number | null)[];
  /** how late this process sent commands at most, 99 of 100 times */
  readonly late: number;
  /** seconds for which this process kept a processor busy */
  readonly processor: number;
}

/** At most this many requests wait for their acknowledgement at a time. */
const CONNECTIONS = 64;

/** How often the queue is looked at, in ms. */
const LOOK = 200;

/** Sends what the agents of the fleet send, each command when it is due, and follows how long they wait to be stored. */
runJob(async (load: Load): Promise<AgentsOutput> => {
  const { url, nodes } = load;
  const [begin, duration] = [ownTime(load.begin), durationOf(load)];
  const rate = commandsPerSecond(load);
  const acknowledged = new Latencies(INTERVAL, intervalsOf(load));
  const waiting = new Peaks(INTERVAL, intervalsOf(load));
  const backlog = new Backlog();
  let [accepted, inTime, refused] = [0, 0, 0];
  let refusal: string | undefined;

  const perform = async (connection: LastingConnection, { target, body }: WireCommand, due: number): Promise<void> => {
    const answer = await connection.request((wire) => wire.post(target, body));
    const now = performance.now();
    acknowledged.add(due - begin, now - due);
    if (answer.status === 200) {
      accepted++;
      if (now <= begin + duration) inTime++;
      backlog.acknowledge(now);
    } else {
      refused++;
      refusal ??= `${answer.status} ${answer.body.toString().slice(0, 300)}`;
    }
  };
  const look = async (connection: LastingConnection): Promise<void> => {
    const depth = await queueDepth(connection);
    waiting.add(performance.now() - begin, backlog.longestWait(depth, performance.now()));
  };

  const every = 1000 / rate;
  const count = Math.floor(duration / every);
  const prepare = commandAt({ nodes, begin: load.begin, every });
  const [late] = await Promise.all([
    keepPace(lastingConnections(url, CONNECTIONS), { begin, every, count }, { prepare, perform }),
    keepPace(
      lastingConnections(url, 1),
      { begin, every: LOOK, count: Math.floor(duration / LOOK) },
      { prepare: () => undefined, perform: look },
    ),
  ]);
  const { user, system } = process.cpuUsage();
  return {
    accepted,
    inTime,
    refused,
    refusal,
    acknowledged: acknowledged.summary(),
    waiting: waiting.byInterval,
    late: percentile(late, 0.99),
    processor: (user + system) / 1e6,
  };
});

/** Makes the n-th command of the fleet: node after node, each node's three one after another. */
function commandAt({
  nodes,
  begin,
  every,
}: {
  readonly nodes: number;
  readonly begin: number;
  readonly every: number;
}) {
  let made: { readonly turn: number; readonly commands: readonly WireCommand[] } | undefined;
  return (number: number): WireCommand => {
    const turn = Math.floor(number / COMMANDS_PER_RUN);
    if (made?.turn !== turn) {
      // The store contains run 0.
      const run = 1 + Math.floor(turn / nodes);
      const end = Math.floor(begin + turn * COMMANDS_PER_RUN * every);
      made = { turn, commands: largeFleet.run(turn % nodes, run, end) };
    }
    return made.commands[number % COMMANDS_PER_RUN] as WireCommand;
  };
}
