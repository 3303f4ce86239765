import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import { RecentlyUsed } from "#storage/memory/recently-used.ts";
import type { HttpResponse } from "../http/response.ts";
import { type BodyRecording, GZIP_LEVEL } from "../http/rows-response.ts";
import { AnswerRecording, type RecordedBody } from "./answer-recording.ts";

const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);

/** Part of all memory that one answer may take. */
const LARGEST = 1 / 4;

/** Bytes that are decompressed at a time: each piece takes some work of the main thread, whatever its size. */
const PIECE = 256 * 1024;

const COMPRESSION: ZlibOptions = { level: GZIP_LEVEL };

/** Queries that are remembered, to notice when one is sent again. */
const MOST_SENT = 2000;

/** A query that was sent. */
interface SentQuery {
  /** Of the store, when it was sent last. */
  readonly version: string;
  /** Whether its answer was too large to be kept: it is not recorded again, which would compress it in vain. */
  readonly isTooLarge: boolean;
}

/** An answer that is kept. */
export interface KeptAnswer {
  readonly key: string;
  /** Changes with everything that the answer was made of. */
  readonly version: string;
  readonly headers: HttpResponse["headers"];
  /** Absent: the body is large. */
  readonly plain?: Buffer;
  /** The compressed body, once a client wanted it or where it is large. */
  zipped?: Buffer;
}

/**
 * Answers of queries that were sent twice while nothing that they read has changed: dashboards send the same queries again and
 * again. The most recently used ones are kept.
 */
export class RepeatedAnswers {
  readonly #kept: RecentlyUsed<KeptAnswer>;
  readonly #sent = new RecentlyUsed<SentQuery>({ bytes: Infinity, entries: MOST_SENT, sizeOf: () => 0 });
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

  /** The answer to a query, if it is kept in this version. */
  find(key: string, version: string): KeptAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || kept.version === version) return kept;
    this.#kept.delete(key);
    return undefined;
  }

  /** Whether to {@link record} the answer: the query was sent before in this version, and its answer is not kept yet. */
  isWorthRecording(key: string, version: string): boolean {
    const sent = this.#sent.get(key);
    if (sent?.version !== version) {
      this.#sent.set(key, { version, isTooLarge: sent?.isTooLarge ?? false });
      return false;
    }
    return !sent.isTooLarge && this.#kept.peek(key)?.version !== version;
  }

  /** Records an answer, to keep it in a version. */
  record(key: string, version: string, headers: HttpResponse["headers"]): BodyRecording {
    const recorded = (body: RecordedBody): void => {
      // A large body is compressed some time after it was sent.
      if (this.#sent.peek(key)?.version === version) this.#kept.set(key, { key, version, headers, ...body });
    };
    const isTooLarge = (): void => {
      // It may have been sent in a later version meanwhile.
      this.#sent.set(key, { version: this.#sent.peek(key)?.version ?? version, isTooLarge: true });
    };
    return new AnswerRecording(this.#limit * LARGEST, recorded, isTooLarge);
  }

  /** The body of an answer that {@link find} has returned. */
  body({ plain, zipped }: KeptAnswer): Buffer | Readable {
    if (plain !== undefined) return plain;
    const unzipped = createGunzip({ chunkSize: PIECE });
    unzipped.end(zipped);
    return unzipped;
  }

  /** The compressed body of an answer that {@link find} has returned. */
  async zipped(kept: KeptAnswer): Promise<Buffer> {
    if (kept.zipped !== undefined) return kept.zipped;
    const zipped = await gzip(kept.plain ?? Buffer.alloc(0), COMPRESSION);
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

function sizeOf({ plain, zipped }: KeptAnswer): number {
  return REST + (plain?.length ?? 0) + (zipped?.length ?? 0);
}
