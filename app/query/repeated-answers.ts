import { promisify } from "node:util";
import { gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";

const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);

/** Part of all memory that one answer may take. */
const LARGEST = 1 / 8;

/** Queries that are remembered, to notice when one is sent again. */
const MOST_ASKED = 2000;

/** A complete answer. */
export interface RepeatedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer that is kept. */
export interface KeptAnswer extends RepeatedAnswer {
  readonly key: string;
  /** Changes with everything that the answer was made of. */
  readonly version: string;
  /** The compressed body, once a client wanted it. */
  zipped?: Buffer;
}

/**
 * Answers of queries that were sent twice while nothing that they read has changed: dashboards send the same queries again and
 * again. The most recently used ones are kept.
 */
export class RepeatedAnswers {
  /** By key; the least recently used first. */
  readonly #kept = new Map<string, KeptAnswer>();
  /** The version at which a query was sent last, by key; the first to be forgotten first. */
  readonly #asked = new Map<string, string>();
  readonly #limit: number;
  #bytes = 0;

  /** @param limit maximum bytes of all answers */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes of all answers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the largest answer that is kept. */
  get largest(): number {
    return this.#limit * LARGEST;
  }

  /** The answer to a query, if it is kept in this version. */
  find(key: string, version: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (kept.version !== version) {
      this.#drop(key);
      return undefined;
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  /** Whether the query was sent before in this version, so that its answer is worth keeping. */
  isRepeated(key: string, version: string): boolean {
    if (this.#asked.get(key) === version) return true;
    this.#asked.delete(key);
    this.#asked.set(key, version);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_ASKED && oldest !== undefined) this.#asked.delete(oldest);
    return false;
  }

  keep(key: string, version: string, answer: RepeatedAnswer): void {
    if (answer.body.length > this.largest) return;
    this.#drop(key);
    const kept = { ...answer, key, version };
    this.#kept.set(key, kept);
    this.#bytes += sizeOf(kept);
    this.#trim();
  }

  /** The compressed body of an answer that {@link find} has returned. */
  async zipped(kept: KeptAnswer, options: ZlibOptions): Promise<Buffer> {
    if (kept.zipped !== undefined) return kept.zipped;
    const zipped = await gzip(kept.body, options);
    // It may have been dropped, or compressed for another client, meanwhile.
    if (kept.zipped === undefined && this.#kept.get(kept.key) === kept) {
      kept.zipped = zipped;
      this.#bytes += zipped.length;
      this.#trim();
    }
    return zipped;
  }

  #trim(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limit) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= sizeOf(kept);
    this.#kept.delete(key);
  }
}

/** What each answer takes besides its body, about: its key, headers and versions. */
const REST = 1000;

function sizeOf({ body, zipped }: KeptAnswer): number {
  return REST + body.length + (zipped?.length ?? 0);
}
