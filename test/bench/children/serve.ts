import { tuneProcess } from "#app/process.ts";
import { startService } from "#app/service.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, timestampOfMillis } from "#storage/time.ts";
import { runJob } from "./job.ts";

/** What is served. */
export interface ServeInput {
  readonly directory: string;
  /** what the clock shows, ms since the epoch */
  readonly now: number;
}

/** Where it is served. */
export interface ServeOutput {
  /** without a slash at the end */
  readonly url: string;
}

tuneProcess();
runJob(async ({ directory, now }: ServeInput): Promise<ServeOutput> => {
  const clock = fixedClock(timestampOfMillis(now));
  const store = await Store.open({ directory, clock });
  const { url } = await startService({ store });
  return { url };
});
