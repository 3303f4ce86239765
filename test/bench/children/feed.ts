import { setTimeout as delay } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import { readPopulation } from "../peer/population.ts";
import { endlessRuns } from "../peer/work.ts";
import { CommandPoster } from "../posting.ts";
import { requestOf } from "../requests.ts";
import { onMessage, runJob } from "./job.ts";

/** What is sent, and how fast. */
export interface FeedInput {
  /** of the server, without a slash at the end */
  readonly url: string;
  /** a population: NDJSON, a command a line */
  readonly file: string;
  readonly connections: number;
  /** commands per second; fewer if the server accepts fewer */
  readonly rate: number;
}

/** Makes the job stop sending; it returns a {@link FeedOutput}. */
export interface StopMessage {
  readonly stop: true;
}

/** How fast it was. */
export interface FeedOutput {
  /** commands per second that were accepted */
  readonly rate: number;
}

/** Sends what a fleet sends, at a steady pace, from the first command until it is stopped. */
runJob(async ({ url, file, connections, rate }: FeedInput): Promise<null> => {
  const runs = endlessRuns({ commands: await readPopulation(file) });
  const posters = await Promise.all(Array.from({ length: connections }, () => CommandPoster.open(url, 1)));
  const started = performance.now();
  let sent = 0;
  let accepted = 0;
  const stopping = new AbortController();
  const send = async (poster: CommandPoster): Promise<void> => {
    while (!stopping.signal.aborted) {
      const early = started + (sent * 1000) / rate - performance.now();
      const { value, done } = runs.next();
      if (done === true) throw new Error("the population has no commands");
      sent++;
      await delay(Math.max(0, early));
      accepted += await poster.postAll([requestOf(value)]);
    }
    poster.close();
  };
  const sending = Promise.all(posters.map(send));
  // It is reported when the job is stopped.
  sending.catch(() => undefined);
  onMessage(async (_message: StopMessage): Promise<FeedOutput> => {
    stopping.abort();
    await sending;
    return { rate: accepted / ((performance.now() - started) / 1000) };
  });
  return null;
});
