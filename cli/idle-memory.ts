import type { Store } from "#storage/store.ts";

/** When an idle store releases memory, in ms. */
export interface IdleTimes {
  /** Time without commands after which memory is released, … */
  readonly pause: number;
  /** … at most once in this time: it costs 0.3 s of CPU and writes changed tables, and many fleets pause often. */
  readonly betweenPauses: number;
  /** Time without commands after which threads end too. */
  readonly rest: number;
}

const defaultTimes: IdleTimes = { pause: 5000, betweenPauses: 300_000, rest: 60_000 };

/** How often the store is checked within `pause`. */
const CHECKS_PER_PAUSE = 5;

/**
 * Releases the memory of a store that has received no commands for a while. A fleet reports in waves; between them other
 * processes can use the memory.
 * @returns ends it
 */
export function releaseMemoryWhenIdle(store: Store, times = defaultTimes): () => void {
  const seen = store.metrics.get("mq", "global.seen", "meter");
  /** Numbers of commands: at the last check, at the last release of memory, and at the last release with threads. */
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
    // Ignore errors such as a full disk: the next command meets and reports them.
    void check()
      .catch(() => undefined)
      .finally(() => (isChecking = false));
  }, times.pause / CHECKS_PER_PAUSE).unref();
  return () => clearInterval(timer);
}
