import { tuneProcess } from "#app/process.ts";
import { startService } from "#app/service.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { Store } from "#storage/store.ts";
import { type Clock, timestampOfMillis } from "#storage/time.ts";
import { onMessage, runJob } from "./job.ts";
import type { ServeOutput } from "./serve.ts";

/** What is served. */
export interface FleetServerInput {
  readonly directory: string;
  /** what the clock shows at first, ms since the epoch */
  readonly now: number;
  /** how long reports and their events are kept, in ms */
  readonly keepReports: number;
}

/** The messages that such a server gets from time to time. */
export interface ClockMessage {
  /** what the clock shows from then on, ms since the epoch */
  readonly now: number;
}

tuneProcess();
runJob(async ({ directory, now, keepReports }: FleetServerInput): Promise<ServeOutput> => {
  let shown = now;
  const clock: Clock = { now: () => timestampOfMillis(shown) };
  onMessage((message: ClockMessage) => {
    shown = message.now;
  });
  const ttl = timestampOfMillis(keepReports);
  const retention = { ...defaultRetention, reportTtl: ttl, resourceEventsTtl: ttl };
  const store = await Store.open({ directory, clock, retention });
  const { url } = await startService({ store });
  return { url };
});
