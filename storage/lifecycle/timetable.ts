/** What is done periodically. */
interface Periodic {
  /** milliseconds before the first run, and between the end of one and the next */
  readonly interval: number;
}

/** Runs jobs periodically, one at a time, without keeping the process alive. */
export class Timetable<Job extends Periodic> {
  readonly #timers = new Set<NodeJS.Timeout>();
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param run does a job's work; never rejects */
  constructor(jobs: readonly Job[], run: (job: Job) => Promise<void>) {
    for (const job of jobs) this.#plan(job, run);
  }

  /** Schedules no more jobs; resolves when the running job has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#last;
  }

  #plan(job: Job, run: (job: Job) => Promise<void>): void {
    const due = (): void => {
      this.#timers.delete(timer);
      const earlier = this.#last;
      this.#last = this.#next(earlier, job, run);
    };
    // A timer has no longer delay.
    const timer = setTimeout(due, Math.min(job.interval, 2 ** 31 - 1)).unref();
    this.#timers.add(timer);
  }

  async #next(earlier: Promise<void>, job: Job, run: (job: Job) => Promise<void>): Promise<void> {
    await earlier;
    if (this.#isClosed) return;
    await run(job);
    if (!this.#isClosed) this.#plan(job, run);
  }
}
