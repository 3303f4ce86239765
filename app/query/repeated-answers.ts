import { promisify } from "node:util";
import { gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import { RecentlyUsed } from "#storage/memory/recently-used.ts";

const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);

/** Part of all memory that one answer may take. */
const LARGEST = 1 / 8;

/** Queries that are remembered, to notice when one is sent again. */
const MOST_SENT = 2000;

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
  readonly #kept: RecentlyUsed<KeptAnswer>;
  /** The version at which a query was sent last. */
  readonly #sent = new RecentlyUsed<string>({ bytes: Infinity, entries: MOST_SENT, sizeOf: () => 0 });
  readonly #limit: number;

  /** @param limit maximum bytes of all answers */
  constructor(limit: number) {
    this.#limit = limit;
    this.#kept = new RecentlyUsed({ bytes: limit, sizeOf });
  }

  /** Bytes of all answers. */
  get bytes(): number {
    return this.#kept.bytes;
  }

  /** Bytes of the largest answer that is kept. */
  get largest(): number {
    return this.#limit * LARGEST;
  }

  /** The answer to a query, if it is kept in this version. */
  find(key: string, version: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.version === version) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  /** Whether the query was sent before in this version, so that its answer is worth keeping. */
  isRepeated(key: string, version: string): boolean {
    if (this.#sent.get(key) === version) return true;
    this.#sent.set(key, version);
    return false;
  }

  keep(key: string, version: string, answer: RepeatedAnswer): void {
    if (answer.body.length <= this.largest) this.#kept.set(key, { ...answer, key, version });
  }

  /** The compressed body of an answer that {@link find} has returned. */
  async zipped(kept: KeptAnswer, options: ZlibOptions): Promise<Buffer> {
    if (kept.zipped !== undefined) return kept.zipped;
    const zipped = await gzip(kept.body, options);
    // It may have been dropped, or compressed for another client, meanwhile.
    if (kept.zipped === undefined && this.#kept.peek(kept.key) === kept) {
      kept.zipped = zipped;
      this.#kept.set(kept.key, kept);
    }
    return zipped;
  }
}

/** What each answer takes besides its body, about: its key, headers and versions. */
const REST = 1000;

function sizeOf({ body, zipped }: KeptAnswer): number {
  return REST + body.length + (zipped?.length ?? 0);
}
