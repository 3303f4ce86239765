import type { Worker } from "node:worker_threads";
import { startPasswordWorker } from "./worker-code.ts";

/** Milliseconds between two checks for strangers, and how many wait for their turn. */
const INTERVAL = 1000;
const LINE = 8;

/** Milliseconds after which the thread ends. */
const IDLE = 30_000;

/**
 * Checks passwords in a thread of its own with a low priority, at most one a second for strangers, so that nobody can make
 * the service work on nothing else.
 */
export class PasswordChecks {
  readonly #pending = new Map<number, (isRight: boolean) => void>();
  #worker: Worker | undefined;
  #ending: NodeJS.Timeout | undefined;
  #waiting = 0;
  #next = 0;
  #count = 0;

  /** @returns undefined: too many strangers wait already */
  check(password: string, hash: string, isStranger: boolean): Promise<boolean> | undefined {
    if (!isStranger) return this.#run(password, hash);
    if (this.#waiting >= LINE) return undefined;
    const now = performance.now();
    const delay = Math.max(0, this.#next - now);
    this.#next = now + delay + INTERVAL;
    this.#waiting++;
    return new Promise((resolve) => {
      setTimeout(() => {
        this.#waiting--;
        resolve(this.#run(password, hash));
      }, delay).unref();
    });
  }

  close(): void {
    clearTimeout(this.#ending);
    void this.#worker?.terminate();
    this.#worker = undefined;
    for (const resolve of this.#pending.values()) resolve(false);
    this.#pending.clear();
  }

  async #run(password: string, hash: string): Promise<boolean> {
    clearTimeout(this.#ending);
    this.#ending = setTimeout(() => this.close(), IDLE).unref();
    this.#worker ??= this.#start();
    const id = this.#count++;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#worker?.postMessage({ id, password, hash });
    });
  }

  #start(): Worker {
    const worker = startPasswordWorker();
    worker.on("message", ({ id, isRight }: { id: number; isRight: boolean }) => {
      this.#pending.get(id)?.(isRight);
      this.#pending.delete(id);
    });
    // As when there is not enough memory: nobody gets in, and the next check starts another thread.
    worker.on("error", () => this.close());
    worker.unref();
    return worker;
  }
}
