import type { Transaction } from "../engine/transaction.ts";
import { append } from "../ingest/write/append.ts";
import type { Timestamp } from "../time.ts";

/** A fact set or catalog of a node, by when it was produced. */
export interface DocumentTime {
  readonly node: number;
  readonly isCatalog: boolean;
  readonly produced: Timestamp;
}

/** The documents around a time. */
export interface Neighbours {
  /** When the next one was produced. */
  readonly next: Timestamp | null;
  /** Whether one of that time or an earlier one is known. */
  readonly hasEarlier: boolean;
}

/** Records when documents were produced. */
export class DocumentTimes {
  #noted: DocumentTime[] = [];

  /** Forgets what is not written. */
  clear(): void {
    this.#noted = [];
  }

  note(document: DocumentTime): void {
    this.#noted.push(document);
  }

  /** Appends what was noted. */
  async write(tx: Transaction): Promise<void> {
    const noted = this.#noted;
    this.#noted = [];
    await append(tx, "history_documents", noted, ({ node, isCatalog, produced }) => [node, isCatalog, produced]);
  }
}

/** The documents of the same kind around a document. */
export async function readNeighbours(
  tx: Transaction,
  { node, isCatalog, produced }: DocumentTime,
): Promise<Neighbours> {
  const [found] = await tx.rows<{ next: Timestamp | null; hasEarlier: boolean | null }>(
    `SELECT epoch_us(min(produced) FILTER (produced > $3)) AS next, bool_or(produced <= $3) AS "hasEarlier"
      FROM history_documents WHERE node_id = $1 AND is_catalog = $2`,
    [node, isCatalog, { micros: produced }],
  );
  return { next: found?.next ?? null, hasEarlier: found?.hasEarlier ?? false };
}
