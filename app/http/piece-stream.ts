import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { createGzip, type ZlibOptions } from "node:zlib";
import { recycle } from "./pieces.ts";

/** Follows how a long response is sent. */
export interface SendProgress {
  /** Milliseconds after which a client that does not read is disconnected. */
  readonly idleMs: number;
  /** Called with true when the client has to read before more can be written, with false once it has. */
  waits(isWaiting: boolean): void;
  /** Called once, when all pieces have been made or the client has left. */
  over(): void;
}

/** Pieces of a body, as of rows or an archive, that are written as they are made, at the pace of the client. */
export class PieceStream {
  readonly #first: readonly Buffer[];
  readonly #rest: AsyncGenerator<Buffer, void>;
  readonly #progress: SendProgress;
  readonly #gzip: ZlibOptions | undefined;

  /**
   * @param first the first pieces, whose memory may be reused once they are sent
   * @param rest those that follow, likewise
   * @param gzip compression; without it the pieces are sent as they are
   */
  constructor(
    first: readonly Buffer[],
    rest: AsyncGenerator<Buffer, void>,
    progress: SendProgress,
    gzip?: ZlibOptions,
  ) {
    this.#first = first;
    this.#progress = progress;
    this.#rest = rest;
    this.#gzip = gzip;
  }

  /** Writes everything and ends the response; resolves when no more pieces are made. Never rejects. */
  async sendTo(response: ServerResponse): Promise<void> {
    if (this.#gzip === undefined) {
      await this.#send(response, response);
    } else {
      const zip = createGzip(this.#gzip);
      // The client may leave while there are pieces to compress.
      response.once("close", () => zip.destroy());
      zip.pipe(response);
      await this.#send(zip, response);
    }
  }

  /** Ends it unsent. */
  destroy(): void {
    void this.#rest
      .return()
      .catch(() => undefined)
      .finally(() => this.#progress.over());
  }

  /**
   * When the client leaves, the iteration ends; an error closes the connection, so that no client takes the response
   * for complete.
   * @param into the stream that the pieces are written into
   * @param target the response, after that stream
   */
  async #send(into: Writable, target: Writable): Promise<void> {
    try {
      for (const piece of this.#first) await this.#write(piece, into, target);
      for await (const piece of this.#rest) {
        await this.#write(piece, into, target);
        if (into.destroyed) break;
      }
      into.end();
    } catch {
      target.destroy();
    } finally {
      await this.#rest.return().catch(() => target.destroy());
      this.#progress.over();
    }
  }

  /** Resolves when the stream accepts more, or is closed; a client that does not read for too long is disconnected. */
  async #write(piece: Buffer, into: Writable, target: Writable): Promise<void> {
    const hasRoom = into.write(piece, (error) => {
      if (error === null || error === undefined) recycle(piece);
    });
    if (hasRoom) return;
    const { idleMs } = this.#progress;
    const timer = setTimeout(() => target.destroy(), idleMs);
    this.#progress.waits(true);
    await drained(into);
    this.#progress.waits(false);
    clearTimeout(timer);
  }
}

async function drained(stream: Writable): Promise<void> {
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
