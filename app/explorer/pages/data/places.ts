/** How many requests the page has under way at most; the others wait. Browsers allow six per server. */
const PLACES = 6;

let free = PLACES;
const waiting: (() => void)[] = [];

/** Runs something when fewer than six requests are under way. @throws what the signal was aborted with, and what `work` throws */
export async function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
  else free -= 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
}
