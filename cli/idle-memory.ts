import type { Store } from "#storage/store.ts";

/** When a store rests, in ms. */
export interface IdleTimes {
  /** without commands, after which memory is given back … */
  readonly pause: number;
  /** … once in so long at most: it takes 0.3 s of a processor, changed tables are written, and many fleets pause often */
  readonly betweenPauses: number;
  /** without commands, after which threads end as well */
  readonly rest: number;
}

const defaultTimes: IdleTimes = { pause: 5000, betweenPauses: 300_000, rest: 60_000 };

/** So many looks fall into a pause. */
const CHECKS_PER_PAUSE = 5;

/**
 * Has a store that has been busy give back what it took for that, once no commands have come for a while: a fleet reports
 * in waves, and between them memory is better used by others.
 * @returns ends it
 */
export function releaseMemoryWhenIdle(store: Store, times = defaultTimes): () => void {
  const seen = store.metrics.get("mq", "global.seen", "meter");
  /** Commands there had been when a look saw the last ones come, and when those were that it paused or rested after. */
  let [last, released, releasedAll] = [seen.count, seen.count, seen.count];
  let [lastAt, releasedAt] = [performance.now(), -Infinity];
  let isChecking = false;
  const check = async (): Promise<void> => {
    const now = performance.now();
    if (seen.count !== last || store.queueDepth > 0) [last, lastAt] = [seen.count, now];
    const idle = now - lastAt;
    if (releasedAll !== last && idle >= times.rest) {
      releasedAll = released = last;
      await store.rest({ isLong: true });
    } else if (released !== last && idle >= times.pause && now - releasedAt >= times.betweenPauses) {
      [released, releasedAt] = [last, now];
      await store.rest({ isLong: false });
    }
  };
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // What keeps the log from being written out, such as a full disk, is met and told by the next command.
    void check()
      .catch(() => undefined)
      .finally(() => (isChecking = false));
  }, times.pause / CHECKS_PER_PAUSE).unref();
  return () => clearInterval(timer);
}
