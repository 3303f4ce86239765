import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { keepPace, type PaceClock, type Schedule } from "./pace.ts";

/** Time that passes only while everybody sleeps. */
class SimulatedClock implements PaceClock {
  #now = 0;
  #sleepers: { readonly until: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  async sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ until: this.#now + ms, wake }));
  }

  /** Lets time pass until there is nothing to wait for. */
  async pass(): Promise<void> {
    for (await turn(); this.#sleepers.length > 0; await turn()) {
      this.#sleepers.sort((a, b) => a.until - b.until);
      const [first, ...others] = this.#sleepers;
      this.#sleepers = others;
      this.#now = Math.max(this.#now, first?.until ?? 0);
      first?.wake();
    }
  }
}

interface Begun {
  readonly worker: string;
  readonly number: number;
  readonly due: number;
  readonly at: number;
}

const schedule: Schedule = { begin: 20, every: 10, count: 12 };

/** @param slow the number of what takes 100 ms; everything else takes no time */
async function pacedWork(workers: readonly string[], slow: number): Promise<{ begun: Begun[]; late: number[] }> {
  const clock = new SimulatedClock();
  const begun: Begun[] = [];
  const working = keepPace(
    workers,
    schedule,
    {
      prepare: (number) => number,
      perform: async (worker, number, due) => {
        begun.push({ worker, number, due, at: clock.now() });
        if (number === slow) await clock.sleep(100);
      },
    },
    clock,
  );
  await clock.pass();
  return { begun, late: await working };
}

const doNothing = (): Promise<void> => Promise.resolve();

it("begins each thing when it is due, although one before it takes long", async () => {
  const { begun } = await pacedWork(["one", "two"], 2);
  expect(begun.map(({ number }) => number)).toEqual([...Array(12).keys()]);
  for (const { number, due, at } of begun) expect([due, at]).toEqual([20 + number * 10, 20 + number * 10]);
  // The other worker does what is due meanwhile.
  const meanwhile = begun.filter(({ at }) => at > 40 && at < 140);
  expect(new Set(meanwhile.map(({ worker }) => worker)).size).toBe(1);
});

it("counts the wait for a worker from when something was due, and then makes up for it", async () => {
  const { begun } = await pacedWork(["one"], 2);
  expect(begun.filter(({ number }) => number >= 2).map(({ due, at }) => [due, at])).toEqual([
    [40, 40],
    ...[50, 60, 70, 80, 90, 100, 110, 120, 130].map((due) => [due, 140]),
  ]);
});

it("prepares each thing before it is due", async () => {
  const clock = new SimulatedClock();
  const prepared: number[] = [];
  const working = keepPace(
    ["one", "two"],
    schedule,
    { prepare: () => prepared.push(clock.now()), perform: doNothing },
    clock,
  );
  await clock.pass();
  await working;
  // Each of two workers has prepared one thing ahead.
  expect(prepared).toEqual([0, 0, ...Array.from({ length: 10 }, (_, number) => 20 + number * 10)]);
});

it("returns how late this process was, without the wait for a worker", async () => {
  const clock = new SimulatedClock();
  const sleepy: PaceClock = { now: () => clock.now(), sleep: (ms) => clock.sleep(ms + 3) };
  const working = keepPace(
    ["one"],
    { ...schedule, count: 4 },
    { prepare: (number) => number, perform: (_, number) => (number === 1 ? clock.sleep(8) : Promise.resolve()) },
    sleepy,
  );
  await clock.pass();
  // The third was due while the second was done, so nobody waited for it.
  expect(await working).toEqual([3, 3, 3]);
});
