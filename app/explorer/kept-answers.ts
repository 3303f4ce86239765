import { RecentlyUsed } from "#storage/memory/recently-used.ts";

/** What an answer was made of. */
export interface AnswerState {
  /** Changes with everything stored that the answer depends on; read before anything else is. */
  readonly version: string;
  /** Of the store, likewise. */
  readonly revision: number;
}

/** A cached answer. */
export interface KeptAnswer extends AnswerState {
  readonly answer: Uint8Array;
}

interface Making {
  readonly promise: Promise<KeptAnswer>;
  readonly controller: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/**
 * Cached answers, the most recently used ones, each while the data it depends on are unchanged: twenty screens that show the
 * same page cost one query. Requests for an answer that is being made wait for it.
 */
export class KeptAnswers {
  readonly #kept: RecentlyUsed<KeptAnswer>;
  /** By key and version. */
  readonly #making = new Map<string, Making>();

  /** @param limit maximum bytes */
  constructor(limit: number) {
    this.#kept = new RecentlyUsed({ bytes: limit, sizeOf });
  }

  /** Bytes in the cache. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /**
   * @param key everything that the answer depends on besides its version: the endpoint, its parameters, and where it depends
   *   on the time, the time, rounded to the accuracy that is needed
   * @param make called where there is no such answer; its signal aborts when nobody waits for the answer any more
   * @param signal of the request
   * @returns an answer of this version, perhaps of an earlier revision
   * @throws what `make` throws, which is not cached; the signal's reason
   */
  async get(
    key: string,
    state: AnswerState,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<KeptAnswer> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    if (kept?.version === state.version) return kept;
    const making = this.#making.get(`${state.version} ${key}`) ?? this.#begin(key, state, make);
    return waited(making, signal);
  }

  /** Keeps an answer in place of the one with that key. */
  keep(key: string, kept: KeptAnswer): void {
    this.#kept.set(key, kept);
  }

  #begin(key: string, state: AnswerState, make: (signal: AbortSignal) => Promise<Uint8Array>): Making {
    const controller = new AbortController();
    const id = `${state.version} ${key}`;
    const made = async (): Promise<KeptAnswer> => {
      try {
        const kept = { ...state, answer: await make(controller.signal) };
        this.keep(key, kept);
        return kept;
      } finally {
        if (this.#making.get(id) === making) this.#making.delete(id);
      }
    };
    const making: Making = { promise: Promise.resolve().then(made), controller, waiting: 0 };
    this.#making.set(id, making);
    // Who begins waits as well; nobody waits for what is abandoned later.
    making.promise.catch(() => undefined);
    controller.signal.addEventListener("abort", () => this.#making.delete(id), { once: true });
    return making;
  }
}

/** Bytes; a key may be a long query. */
function sizeOf({ version, answer }: KeptAnswer, key: string): number {
  return 2 * (key.length + version.length) + answer.length;
}

/** Waits until it is made or the request is over; the last request to leave ends the work. */
async function waited(making: Making, signal: AbortSignal): Promise<KeptAnswer> {
  making.waiting++;
  let leave: (() => void) | undefined;
  try {
    return await Promise.race([
      making.promise,
      new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason as Error);
        signal.addEventListener("abort", leave, { once: true });
      }),
    ]);
  } finally {
    if (leave !== undefined) signal.removeEventListener("abort", leave);
    if (--making.waiting === 0 && signal.aborted) making.controller.abort(signal.reason);
  }
}
