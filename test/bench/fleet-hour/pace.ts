import { setTimeout as delay } from "node:timers/promises";
import { performance } from "node:perf_hooks";

/** When a number of things are due. Times are in ms. */
export interface Schedule {
  /** when the first is due */
  readonly begin: number;
  /** ms from one to the next */
  readonly every: number;
  readonly count: number;
}

/** What is done at each time. */
export interface Task<Worker, Prepared> {
  /** Makes what is needed, before it is due. */
  readonly prepare: (number: number) => Prepared;
  /** @param due when it was due; a worker that is early by a fraction of a millisecond begins then */
  readonly perform: (worker: Worker, prepared: Prepared, due: number) => Promise<void>;
}

/** The time that schedules refer to. */
export interface PaceClock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

/** That of `performance.now()`. */
const machineClock: PaceClock = { now: () => performance.now(), sleep: (ms) => delay(ms) };

/**
 * Does each thing when it is due, however long those before it take, as long as a worker is free; otherwise as soon as one is.
 * @returns how late each one began that a free worker was waiting for, in ms: the lateness of this process itself
 */
export async function keepPace<Worker, Prepared>(
  workers: readonly Worker[],
  { begin, every, count }: Schedule,
  { prepare, perform }: Task<Worker, Prepared>,
  clock: PaceClock = machineClock,
): Promise<number[]> {
  const late: number[] = [];
  let next = 0;
  const work = async (worker: Worker): Promise<void> => {
    while (next < count) {
      const number = next++;
      const prepared = prepare(number);
      const due = begin + number * every;
      const early = due - clock.now();
      if (early > 0) {
        // A timer drops the fraction.
        await clock.sleep(Math.ceil(early));
        late.push(Math.max(0, clock.now() - due));
      }
      await perform(worker, prepared, Math.min(due, clock.now()));
    }
  };
  await Promise.all(workers.map(work));
  return late;
}
