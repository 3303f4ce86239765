/** Bytes that may be kept. */
const LIMIT = 32 * 1024 * 1024;

interface Kept {
  readonly revision: number;
  readonly answer: Uint8Array;
}

interface Making {
  readonly promise: Promise<Uint8Array>;
  readonly controller: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/**
 * Answers that are kept while the store stays as it is, the most recently used ones: twenty screens that show the same page
 * cost one query. Requests for an answer that is being made wait for it.
 */
export class KeptAnswers {
  /** By key; the least recently used first. */
  readonly #kept = new Map<string, Kept>();
  /** By key and revision. */
  readonly #making = new Map<string, Making>();
  readonly #limit: number;
  #bytes = 0;

  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param key everything that the answer depends on besides the revision: the endpoint, its parameters, and where it depends
   *   on the time, the time, rounded to what it is worth
   * @param revision of the store, read before anything else is
   * @param make called where there is no such answer; its signal aborts when nobody waits for the answer any more
   * @param signal of the request
   * @throws what `make` throws, which is not kept; the signal's reason
   */
  async get(
    key: string,
    revision: number,
    make: (signal: AbortSignal) => Promise<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    signal.throwIfAborted();
    const kept = this.#kept.get(key);
    if (kept?.revision === revision) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept.answer;
    }
    const making = this.#making.get(`${revision} ${key}`) ?? this.#begin(key, revision, make);
    return waited(making, signal);
  }

  #begin(key: string, revision: number, make: (signal: AbortSignal) => Promise<Uint8Array>): Making {
    const controller = new AbortController();
    const id = `${revision} ${key}`;
    const made = async (): Promise<Uint8Array> => {
      try {
        const answer = await make(controller.signal);
        this.#keep(key, { revision, answer });
        return answer;
      } finally {
        if (this.#making.get(id) === making) this.#making.delete(id);
      }
    };
    const making: Making = { promise: Promise.resolve().then(made), controller, waiting: 0 };
    this.#making.set(id, making);
    // Who begins waits as well; what is abandoned later fails without anybody to tell.
    making.promise.catch(() => undefined);
    controller.signal.addEventListener("abort", () => this.#making.delete(id), { once: true });
    return making;
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#bytes += sizeOf(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= sizeOf(key, kept);
    this.#kept.delete(key);
  }
}

/** Bytes; a key may be a long query. */
function sizeOf(key: string, { answer }: Kept): number {
  return 2 * key.length + answer.length;
}

/** Waits until it is made or the request is over; the last request to leave ends the work. */
async function waited(making: Making, signal: AbortSignal): Promise<Uint8Array> {
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
