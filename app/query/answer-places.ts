import type { ServerResponse } from "node:http";
import { Allowance } from "#storage/memory/allowance.ts";
import type { SendProgress } from "../http/piece-stream.ts";

/** How long a request waits for a place, ms. */
export const PATIENCE = 30_000;

/** While others wait, a client that has read nothing for this long is cut off, ms. */
const PRESSED = 10_000;

/** Interval between checks for such clients while others wait, ms. */
const CHECK = 500;

/** An answer that has places until the engine has made all of it. */
interface PlacedAnswer {
  readonly response: ServerResponse;
  /** Since when its client has not read; undefined: it reads. By `performance.now()`. */
  stalledAt: number | undefined;
}

/**
 * Places for responses that are sent at the same time. While a caller waits for a place, clients that do not read their
 * responses are disconnected.
 */
export class AnswerPlaces {
  readonly #places: Allowance;
  readonly #idleMs: number;
  readonly #answers = new Set<PlacedAnswer>();
  #checking: NodeJS.Timeout | undefined;

  /**
   * @param what the message if no place is free in time: `Too many exports are being sent`
   * @param idleMs milliseconds after which a client that does not read is disconnected although nobody waits
   */
  constructor(total: number, what: string, idleMs: number) {
    this.#places = new Allowance(total, what);
    this.#idleMs = idleMs;
  }

  get total(): number {
    return this.#places.total;
  }

  /** Acquires a place if one is free and nobody waits for it. */
  tryTake(): boolean {
    return this.#places.tryAcquire();
  }

  /** @throws CensusError "unavailable" when none is free in time; the signal's reason */
  async take(count: number, signal: AbortSignal): Promise<void> {
    if (this.#places.tryAcquire(count)) return;
    this.#checking ??= setInterval(() => this.#cutStalled(), CHECK).unref();
    await this.#places.acquire(count, PATIENCE, signal);
  }

  release(count: number): void {
    this.#places.release(count);
  }

  /** Releases acquired places when a response has ended. */
  sending(response: ServerResponse, count: number): SendProgress {
    const answer: PlacedAnswer = { response, stalledAt: undefined };
    this.#answers.add(answer);
    return {
      idleMs: this.#idleMs,
      waits: (isWaiting) => (answer.stalledAt = isWaiting ? performance.now() : undefined),
      over: () => {
        if (this.#answers.delete(answer)) this.release(count);
      },
    };
  }

  /** Cuts off clients that do not read, as many as requests wait, those first that have not read for longest. */
  #cutStalled(): void {
    if (this.#places.waiting === 0) {
      clearInterval(this.#checking);
      this.#checking = undefined;
      return;
    }
    const before = performance.now() - PRESSED;
    const stalled = [...this.#answers].filter(({ stalledAt = Infinity }) => stalledAt < before);
    stalled.sort((a, b) => (a.stalledAt ?? 0) - (b.stalledAt ?? 0));
    for (const { response } of stalled.slice(0, this.#places.waiting)) response.destroy();
  }
}
