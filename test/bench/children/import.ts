import { performance } from "node:perf_hooks";
import { tuneProcess } from "#app/process.ts";
import { readArchive } from "#storage/archive/contents.ts";
import { Store } from "#storage/store.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { fixedClock, timestampOfMillis, type Timestamp } from "#storage/time.ts";
import { memoryOf } from "../memory.ts";
import { runJob } from "./job.ts";

/** Which archive goes where. */
export interface ImportInput {
  readonly archive: string;
  readonly directory: string;
  /** what the clock shows, ms since the epoch */
  readonly now: number;
}

/** What it took. */
export interface ImportOutput {
  readonly commands: number;
  /** from opening the data directory until it is closed */
  readonly seconds: number;
  /** of all threads */
  readonly cpuSeconds: number;
  /** bytes; undefined if the system does not report them */
  readonly peakMemory: number | undefined;
}

// As `census import` does.
tuneProcess();

runJob(async ({ archive, directory, now }: ImportInput): Promise<ImportOutput> => {
  const received = timestampOfMillis(now);
  const started = performance.now();
  const store = await Store.open({ directory, clock: fixedClock(received) });
  const commands = await store.importAll(submissions(archive, received));
  await store.close();
  const { user, system } = process.cpuUsage();
  return {
    commands,
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakMemory: memoryOf("self")?.peak,
  };
});

async function* submissions(archive: string, received: Timestamp): AsyncGenerator<Submission> {
  for await (const { command, version, certname, payload } of readArchive(archive)) {
    yield { command, version, certname, payload, received };
  }
}
