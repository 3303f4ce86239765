import type { Database } from "../../engine/database.ts";
import type { Transaction } from "../../engine/transaction.ts";
import { digestNumbers } from "./digest-ids.ts";

/** Bits of a digest. */
const HASHES = [0, 1, 2, 3] as const;

/** Bits of the filter per digest, at least: with more digests it is full. Then one in 100 that are absent might be there. */
const LEAST_BITS = 11;

/** At first there is room for as many digests again. */
const ROOM = 2;

/**
 * A Bloom filter of the digests in a table: it knows of nearly all that are not there that they are not. Rows may be deleted
 * from the table without it.
 */
export class DigestFilter {
  /** The first bit is the highest one of the first byte. */
  readonly #bytes: Buffer;
  readonly #most: number;
  #count: number;

  private constructor(bytes: Buffer, count: number) {
    this.#bytes = bytes;
    this.#most = Math.floor((bytes.length * 8) / LEAST_BITS);
    this.#count = count;
  }

  /** Reads the digests of a table; the engine makes the filter. @param rows how many it has, about */
  static async read(reader: Pick<Transaction, "rows"> | Database, table: string, rows: number): Promise<DigestFilter> {
    const size = 2 ** Math.max(3, Math.ceil(Math.log2(Math.max(1, rows * ROOM * LEAST_BITS))));
    const bits = HASHES.map((hash) => `(digest_start + ${hash} * digest_end) % ${size}`);
    const [row] = await reader.rows<{ bits: string; count: number }>(
      `SELECT to_base64(bitstring_agg(bit, 0, ${size - 1})::BLOB) AS bits, (count(*) / ${HASHES.length})::INTEGER AS count
       FROM (SELECT unnest([${bits.join(", ")}]) AS bit FROM ${table} WHERE id > 0)`,
    );
    const bytes = row?.bits ? Buffer.from(row.bits, "base64") : Buffer.alloc(size / 8);
    return new DigestFilter(bytes, row?.count ?? 0);
  }

  /** Whether too many digests were added for it to know much: a new one must be read. */
  get isFull(): boolean {
    return this.#count > this.#most;
  }

  /** Whether a digest may be in the table; false: it is not. */
  mayHave(digest: string): boolean {
    return this.#bitsOf(digest).every((bit) => ((this.#bytes[bit >>> 3] ?? 0) & (0x80 >>> (bit & 7))) !== 0);
  }

  add(digest: string): void {
    this.#count++;
    for (const bit of this.#bitsOf(digest)) {
      const at = bit >>> 3;
      this.#bytes[at] = (this.#bytes[at] ?? 0) | (0x80 >>> (bit & 7));
    }
  }

  /** Sums of the halves of a digest are exact: they have fewer than 53 bits. */
  #bitsOf(digest: string): number[] {
    const [start, end] = digestNumbers(digest);
    return HASHES.map((hash) => (start + hash * end) % (this.#bytes.length * 8));
  }
}
