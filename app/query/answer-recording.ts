import { once } from "node:events";
import { createGzip, type Gzip } from "node:zlib";
import { type BodyRecording, GZIP_LEVEL } from "../http/rows-response.ts";

/** Bytes of a body: larger ones are cached compressed. The rows of an answer are alike, so that a tenth of it remains. */
export const LARGEST_PLAIN = 64 * 1024;

/** A body that was recorded, in one of two forms. */
export type RecordedBody = { readonly plain: Buffer } | { readonly zipped: Buffer };

/** Records a body; a large one is compressed as it is sent, so that it never is in memory. */
export class AnswerRecording implements BodyRecording {
  readonly #largest: number;
  readonly #recorded: (body: RecordedBody | undefined) => void;
  #pieces: Buffer[] = [];
  /** Bytes of the pieces. */
  #bytes = 0;
  #gzip: Gzip | undefined;
  #isAbandoned = false;

  /**
   * @param largest bytes of a body that is recorded, in its form
   * @param recorded called once if the body is complete; without it if it is larger
   */
  constructor(largest: number, recorded: (body: RecordedBody | undefined) => void) {
    this.#largest = largest;
    this.#recorded = recorded;
  }

  async add(piece: Buffer): Promise<void> {
    if (this.#isAbandoned) return;
    const copy = Buffer.from(piece);
    if (this.#gzip === undefined && this.#bytes + copy.length <= LARGEST_PLAIN) return this.#keep(copy);
    const gzip = (this.#gzip ??= this.#compressed());
    if (!gzip.write(copy)) await once(gzip, "drain").catch(() => undefined);
  }

  end(isComplete: boolean): void {
    const gzip = this.#gzip;
    if (!isComplete || this.#isAbandoned) {
      gzip?.destroy();
    } else if (gzip === undefined) {
      this.#recorded({ plain: Buffer.concat(this.#pieces) });
    } else {
      gzip.once("end", () => this.#isAbandoned || this.#recorded({ zipped: Buffer.concat(this.#pieces) }));
      gzip.end();
    }
  }

  /** Compresses what is recorded so far, and what follows. */
  #compressed(): Gzip {
    const gzip = createGzip({ level: GZIP_LEVEL });
    for (const piece of this.#pieces) gzip.write(piece);
    [this.#pieces, this.#bytes] = [[], 0];
    gzip.on("data", (piece: Buffer) => this.#keep(piece));
    // Without memory to compress it the answer is sent and not recorded.
    gzip.on("error", () => (this.#isAbandoned = true));
    return gzip;
  }

  #keep(piece: Buffer): void {
    if (this.#isAbandoned) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    if (this.#bytes <= this.#largest) return;
    this.#isAbandoned = true;
    this.#pieces = [];
    this.#recorded(undefined);
  }
}
