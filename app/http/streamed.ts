import type { Writable } from "node:stream";
import { createGzip, type ZlibOptions } from "node:zlib";
import { giveBack } from "./pieces.ts";

/** What whoever sends an answer says of its progress. */
export interface Sending {
  /** Milliseconds after which a client that does not read is cut off. */
  readonly idleMs: number;
  /** The client has to read before there is room for more; or has done so. */
  waits(isWaiting: boolean): void;
  /** All of it has been made, or nobody wants it any more. */
  over(): void;
}

/**
 * A body that is written into the response as it comes, at the pace of the socket. To the framework it is something that can
 * be piped, or else is destroyed.
 */
export class StreamedBody {
  readonly #known: readonly Buffer[];
  readonly #rest: AsyncGenerator<Buffer, void>;
  readonly #sending: Sending;
  readonly #gzip: ZlibOptions | undefined;

  /**
   * @param known the first pieces, each in memory that is used again once it is sent
   * @param rest those that follow, likewise
   * @param sending told how it goes
   * @param gzip given: they are sent compressed
   */
  constructor(known: readonly Buffer[], rest: AsyncGenerator<Buffer, void>, sending: Sending, gzip?: ZlibOptions) {
    this.#known = known;
    this.#sending = sending;
    this.#rest = rest;
    this.#gzip = gzip;
  }

  pipe<Target extends Writable>(target: Target): Target {
    if (this.#gzip === undefined) {
      void this.#send(target, target);
    } else {
      const zip = createGzip(this.#gzip);
      // The client may leave while there are pieces to compress.
      target.once("close", () => zip.destroy());
      zip.pipe(target);
      void this.#send(zip, target);
    }
    return target;
  }

  /** Nobody wants it. */
  destroy(): void {
    void this.#rest
      .return()
      .catch(() => undefined)
      .finally(() => this.#sending.over());
  }

  /**
   * When the client leaves, the iteration is ended; an error cuts the connection, so that no client takes the answer for
   * whole.
   * @param into what the pieces are written into
   * @param target where they get to in the end
   */
  async #send(into: Writable, target: Writable): Promise<void> {
    try {
      for (const piece of this.#known) await this.#write(piece, into, target);
      for await (const piece of this.#rest) {
        await this.#write(piece, into, target);
        if (into.destroyed) break;
      }
      into.end();
    } catch {
      target.destroy();
    } finally {
      await this.#rest.return().catch(() => target.destroy());
      this.#sending.over();
    }
  }

  /** Resolves when the stream takes more, or never will; a client that does not read for too long is cut off. */
  async #write(piece: Buffer, into: Writable, target: Writable): Promise<void> {
    const isRoom = into.write(piece, (error) => {
      if (error === null || error === undefined) giveBack(piece);
    });
    if (isRoom) return;
    const { idleMs } = this.#sending;
    const timer = setTimeout(() => target.destroy(), idleMs);
    this.#sending.waits(true);
    await roomIn(into);
    this.#sending.waits(false);
    clearTimeout(timer);
  }
}

async function roomIn(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
    if (stream.destroyed) done();
  });
}
