import type { Store } from "#storage/store.ts";

/** When a store rests, in ms. */
export interface RestingTimes {
  /** so long without commands … */
  readonly after: number;
  /** … and so long after the last time: a rest costs two seconds of a processor, most of it when commands come again */
  readonly between: number;
}

const usualTimes: RestingTimes = { after: 5000, between: 300_000 };

/** How many looks fall into the time without commands. */
const LOOKS = 5;

/**
 * Has a store that has been busy give back what it took for that, once no commands have come for a moment: a fleet reports
 * in waves, and between them memory is better used by others. One that reports all the time makes many such pauses.
 * @returns ends it
 */
export function restWhenIdle(store: Store, { after, between } = usualTimes): () => void {
  const seen = store.metrics.get("mq", "global.seen", "meter");
  // How many commands there were at the last look and at the last rest, and when the last were seen to come.
  let [last, rested] = [seen.count, seen.count];
  let [lastAt, restedAt] = [performance.now(), -Infinity];
  const look = async (): Promise<void> => {
    const now = performance.now();
    if (seen.count !== last || store.queueDepth > 0) [last, lastAt] = [seen.count, now];
    if (last === rested || now - lastAt < after || now - restedAt < between) return;
    [rested, restedAt] = [last, now];
    // What keeps the log from being written out, such as a full disk, is met and told by the next command.
    await store.rest().catch(() => undefined);
  };
  const timer = setInterval(() => void look(), after / LOOKS).unref();
  return () => clearInterval(timer);
}
