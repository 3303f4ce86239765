import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { createGunzip, gunzip as gunzipAtOnce, gzip as gzipAtOnce, type ZlibOptions } from "node:zlib";
import { RecentlyUsed } from "#storage/memory/recently-used.ts";
import type { HttpResponse } from "../http/response.ts";
import { type BodyRecording, GZIP_LEVEL } from "../http/rows-response.ts";
import { AnswerRecording, LARGEST_PLAIN, type RecordedBody } from "./answer-recording.ts";

const gzip = promisify<Uint8Array, ZlibOptions, Buffer>(gzipAtOnce);
const gunzip = promisify<Uint8Array, Buffer>(gunzipAtOnce);
const COMPRESSION: ZlibOptions = { level: GZIP_LEVEL };

/** Part of all memory that one recorded answer may take. */
const LARGEST = 1 / 8;

/** Bytes that are decompressed at a time: each piece takes some work of the main thread, whatever its size. */
const PIECE = 256 * 1024;

/** Milliseconds: no answer that is not of the present data is shown for longer. */
const OLDEST = 10_000;

/** What an answer is made of, read before anything else is. */
export interface AnswerState {
  /** The statement or the endpoint, its values, and how the answer is written. */
  readonly key: string;
  /** Changes with everything stored that the answer depends on. */
  readonly version: string;
}

/** How old an answer may be that is not of the present data. */
export interface Freshness {
  /** It is younger than this many times what making it took. */
  readonly times: number;
  /** The present one of the store. */
  readonly revision: number;
}

/** A cached answer. */
export interface Answer {
  readonly state: AnswerState;
  readonly headers: HttpResponse["headers"];
  /** Absent: the body is large. */
  readonly plain?: Buffer;
  /** The compressed body, once a client wanted it or where it is large. */
  zipped?: Buffer;
  /** When it was made (ms of the clock). */
  readonly made: number;
  /** Until when it may be shown although data that it depends on have changed, and of which revision it is; absent: it may not. */
  readonly shown?: { readonly until: number; readonly revision: number };
}

/** A query that was sent and whose answer is not cached. */
interface Sent {
  readonly version: string;
  /** It is not recorded again, which would compress it in vain. */
  readonly isTooLarge: boolean;
}

interface Making {
  readonly freshness: Freshness | undefined;
  readonly promise: Promise<Answer>;
  readonly controller: AbortController;
  /** Requests that wait for it. */
  waiting: number;
}

/**
 * The cache of answers, the most recently used ones, each valid while nothing that it was made of has changed, or as long as a read's
 * {@link Freshness} says: twenty screens that show the same page cost one query. An answer is made for requests that wait for all
 * of it ({@link get}), or recorded while it is sent ({@link recording}).
 */
export class Answers {
  readonly #cached: RecentlyUsed<Answer | Sent>;
  readonly #making = new Map<string, Making>();
  readonly #largest: number;
  readonly #now: () => number;

  /**
   * @param limit maximum bytes of all answers
   * @param now the clock, ms
   */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.#largest = limit * LARGEST;
    this.#cached = new RecentlyUsed({ bytes: limit, sizeOf });
    this.#now = now;
  }

  /** Bytes of all answers. */
  get bytes(): number {
    return this.#cached.bytes;
  }

  /** The cached answer, if it is of the present data or, where the read allows it, young enough. */
  find({ key, version }: AnswerState, freshness?: Freshness): Answer | undefined {
    const cached = this.#cached.get(key);
    if (cached === undefined || !("state" in cached)) return undefined;
    const isYoung = freshness !== undefined && cached.shown !== undefined && this.#now() < cached.shown.until;
    return cached.state.version === version || isYoung ? cached : undefined;
  }

  /**
   * The cached answer, or a new one. Requests for an answer that is being made wait for it.
   * @param freshness undefined: the answer is of the present data
   * @param make its signal aborts when nobody waits for the answer any more
   * @param signal of the request
   * @throws what `make` throws, which is not cached; the signal's reason
   */
  async get(
    state: AnswerState,
    freshness: Freshness | undefined,
    make: (signal: AbortSignal) => Promise<Buffer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    signal.throwIfAborted();
    const cached = this.find(state, freshness);
    if (cached !== undefined) return cached;
    const id = freshness === undefined ? `${state.version} ${state.key}` : state.key;
    return waited(this.#making.get(id) ?? this.#begin(id, state, freshness, make), signal);
  }

  #begin(
    id: string,
    state: AnswerState,
    freshness: Freshness | undefined,
    make: (signal: AbortSignal) => Promise<Buffer>,
  ): Making {
    const controller = new AbortController();
    const made = async (): Promise<Answer> => {
      try {
        const began = this.#now();
        const body = await make(controller.signal);
        const now = this.#now();
        const shown = freshness && {
          until: now + Math.min(OLDEST, freshness.times * (now - began)),
          revision: freshness.revision,
        };
        const form = body.length > LARGEST_PLAIN ? { zipped: await gzip(body, COMPRESSION) } : { plain: body };
        const answer: Answer = { state, headers: {}, ...form, made: now, ...(shown === undefined ? {} : { shown }) };
        this.#cached.set(state.key, answer);
        return answer;
      } finally {
        if (this.#making.get(id) === making) this.#making.delete(id);
      }
    };
    const making: Making = { freshness, promise: Promise.resolve().then(made), controller, waiting: 0 };
    this.#making.set(id, making);
    // Who begins waits as well; nobody waits for what is abandoned later.
    making.promise.catch(() => undefined);
    controller.signal.addEventListener("abort", () => this.#making.delete(id), { once: true });
    return making;
  }

  /**
   * Records an answer while it is sent, when the query was sent before in this version: dashboards send the same queries again and again.
   * @returns undefined where it is not worth it
   */
  recording(state: AnswerState): ((headers: HttpResponse["headers"]) => BodyRecording) | undefined {
    const { key, version } = state;
    const before = this.#cached.peek(key);
    const isTooLarge = before !== undefined && "isTooLarge" in before && before.isTooLarge;
    if (before === undefined || versionOf(before) !== version) {
      this.#cached.set(key, { version, isTooLarge });
      return undefined;
    }
    if (isTooLarge || "state" in before) return undefined;
    return (headers) => new AnswerRecording(this.#largest, (body) => this.#recorded(state, headers, body));
  }

  /** @param body undefined: it is too large */
  #recorded(state: AnswerState, headers: HttpResponse["headers"], body: RecordedBody | undefined): void {
    const { key, version } = state;
    const before = this.#cached.peek(key);
    if (body === undefined) {
      // It may have been sent in a later version meanwhile.
      this.#cached.set(key, { version: before === undefined ? version : versionOf(before), isTooLarge: true });
    } else if (before !== undefined && versionOf(before) === version) {
      // A large body is compressed some time after it was sent.
      this.#cached.set(key, { state, headers, ...body, made: this.#now() });
    }
  }

  /** How old an answer is, ms. */
  age({ made }: Answer): number {
    return this.#now() - made;
  }

  /** The body of an answer as a text. */
  async text(answer: Answer): Promise<string> {
    return String(answer.plain ?? (await gunzip(await this.zipped(answer))));
  }

  /** The body of an answer. */
  body({ plain, zipped }: Answer): Buffer | Readable {
    if (plain !== undefined) return plain;
    const unzipped = createGunzip({ chunkSize: PIECE });
    unzipped.end(zipped);
    return unzipped;
  }

  /** The compressed body of an answer. */
  async zipped(answer: Answer): Promise<Buffer> {
    if (answer.zipped !== undefined) return answer.zipped;
    const zipped = await gzip(answer.plain ?? Buffer.alloc(0), COMPRESSION);
    // It may have been dropped, or compressed for another client, meanwhile.
    if (answer.zipped === undefined && this.#cached.peek(answer.state.key) === answer) {
      answer.zipped = zipped;
      this.#cached.set(answer.state.key, answer);
    }
    return zipped;
  }

  /**
   * The revision of which, or of a later one, every answer is from now on.
   * @param revision the present one
   */
  settled(revision: number): number {
    const now = this.#now();
    let least = revision;
    for (const { freshness } of this.#making.values()) least = Math.min(least, freshness?.revision ?? revision);
    for (const cached of this.#cached.values()) {
      if ("state" in cached && cached.shown !== undefined && now < cached.shown.until) {
        least = Math.min(least, cached.shown.revision);
      }
    }
    return least;
  }
}

function versionOf(cached: Answer | Sent): string {
  return "state" in cached ? cached.state.version : cached.version;
}

/** What each entry takes besides texts and bodies, about. */
const REST = 500;

function sizeOf(cached: Answer | Sent, key: string): number {
  const bodies = "state" in cached ? (cached.plain?.length ?? 0) + (cached.zipped?.length ?? 0) : 0;
  return REST + 2 * (key.length + versionOf(cached).length) + bodies;
}

/** Waits until it is made or the request is over; the last request to leave ends the work. */
async function waited(making: Making, signal: AbortSignal): Promise<Answer> {
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
