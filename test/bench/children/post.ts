import { performance } from "node:perf_hooks";
import { awaitStored, queueDepth } from "../awaiting.ts";
import { CommandPoster } from "../posting.ts";
import { processorSeconds } from "../processor-time.ts";
import { readRequests } from "../requests.ts";
import type { Work } from "../peer/work.ts";
import { runJob } from "./job.ts";

/** What is sent, and to whom. */
export interface PostInput {
  /** of the server, without a slash at the end */
  readonly url: string;
  /** requests, one a line */
  readonly file: string;
  readonly connections: number;
  readonly stored: Work["stored"];
  /** of the server's process, where its processor time is wanted */
  readonly pid?: number | undefined;
}

/** How long it took. */
export interface PostOutput {
  readonly commands: number;
  /** from the first request until the last was answered */
  readonly postedSeconds: number;
  /** from the first request until everything can be queried */
  readonly storedSeconds: number;
  /** what this process itself needed while it sent */
  readonly cpuSeconds: number;
  /** what the server's process needed until everything could be queried, where the system reports it */
  readonly serverSeconds: number | undefined;
}

runJob(async ({ url, file, connections, stored, pid }: PostInput): Promise<PostOutput> => {
  const commands = await readRequests(file);
  const poster = await CommandPoster.open(url, connections);
  // Load the code for sending and querying before the time runs.
  await poster.warmUp();
  await queueDepth(url);
  const used = (): number | undefined => (pid === undefined ? undefined : processorSeconds(pid));
  const usedBefore = used();
  const started = performance.now();
  const before = process.cpuUsage();
  await poster.postAll(commands);
  const { user, system } = process.cpuUsage(before);
  const posted = performance.now();
  await awaitStored(url, stored);
  const queryable = performance.now();
  const usedAfter = used();
  poster.close();
  return {
    commands: commands.length,
    postedSeconds: (posted - started) / 1000,
    storedSeconds: (queryable - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    serverSeconds: usedBefore === undefined || usedAfter === undefined ? undefined : usedAfter - usedBefore,
  };
});
