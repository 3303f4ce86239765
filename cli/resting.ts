import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Store } from "#storage/store.ts";

/** How often it is looked whether there is nothing to do, ms; twice in a row counts as rest. */
const INTERVAL = 30_000;

/**
 * Has a store that has been busy give back what it took for that, once no commands have come for a while: a fleet reports
 * in waves, and between them memory is better used by others.
 * @param interval how often to look, ms
 * @returns ends it
 */
export function restWhenIdle(store: Store, interval = INTERVAL): () => void {
  const seen = store.metrics.get("mq", "global.seen", "meter");
  let [last, rested] = [seen.count, seen.count];
  const look = async (): Promise<void> => {
    const { count } = seen;
    const isIdle = count === last && store.queueDepth === 0;
    last = count;
    if (!isIdle || count === rested) return;
    rested = count;
    // What keeps the log from being written out, such as a full disk, is met and told by the next command.
    await store.rest().catch(() => undefined);
    collectGarbage();
  };
  const timer = setInterval(() => void look(), interval).unref();
  return () => clearInterval(timer);
}

/** V8 would leave what is garbage where it is for as long as nothing new is asked of it. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
