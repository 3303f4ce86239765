import type { MsgHdrs } from "@nats-io/transport-node";
import type { NewRow } from "../shared/joint-log.ts";
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";
import { MARK, namesOf, PARTS, subjectOf } from "./messages.ts";

/** Bytes of a message that its headers and subject may need. */
const HEADERS = 4096;

/** An entry that was published. */
export interface Published {
  /** Of its messages, the entry's own last. */
  readonly sequences: readonly number[];
  /** Whether the log had it already. */
  readonly isKnown: boolean;
}

/** The messages of an entry: what is too large for one is published before it, in parts. */
export class Messages {
  readonly #connection: Connection;
  readonly #address: Address;
  readonly #row: NewRow;
  readonly #id: string;
  readonly #pieces: readonly Buffer[];

  /** @param id by what JetStream recognises the entry if it is added again */
  constructor(connection: Connection, address: Address, row: NewRow, id: string) {
    this.#connection = connection;
    this.#address = address;
    this.#row = row;
    this.#id = id;
    const size = connection.maxBytes - HEADERS;
    const count = Math.max(1, Math.ceil(row.record.length / size));
    this.#pieces = Array.from({ length: count }, (_, index) => row.record.subarray(index * size, (index + 1) * size));
  }

  get count(): number {
    return this.#pieces.length;
  }

  /**
   * Publishes a message. The last one is the entry itself, which names the sequences of its parts: so whoever reads it finds them.
   * @param before the sequences of the messages before it
   * @param after the sequence that the last message of the log must have; undefined: any
   * @throws errors of the server
   */
  async publish(
    before: readonly number[],
    after?: number,
  ): Promise<{ readonly sequence: number; readonly isKnown: boolean }> {
    const index = before.length;
    const isLast = index === this.count - 1;
    const { part, added } = namesOf(this.#address);
    const subject = isLast ? subjectOf(this.#address, this.#row.kind) : part;
    const options = {
      headers: await headersOf({
        [MARK]: this.#row.mark,
        ...(isLast && index > 0 ? { [PARTS]: before.join(",") } : {}),
      }),
      msgID: isLast ? this.#id : `${this.#id}.${index}`,
      ...(after === undefined ? {} : { expect: { lastSequence: after } }),
    };
    const body = this.#pieces[index] ?? Buffer.alloc(0);
    const { seq, duplicate } = await this.#connection.request(({ stream }) => stream.publish(subject, body, options));
    if (isLast) this.#connection.notify(added, String(seq));
    return { sequence: seq, isKnown: duplicate };
  }
}

/**
 * Publishes an entry.
 * @param id by what JetStream recognises an entry that is added again
 * @throws errors of the server
 */
export async function publish(connection: Connection, address: Address, row: NewRow, id: string): Promise<Published> {
  const messages = new Messages(connection, address, row, id);
  const sequences: number[] = [];
  for (;;) {
    const { sequence, isKnown } = await messages.publish(sequences);
    sequences.push(sequence);
    if (sequences.length === messages.count) return { sequences, isKnown };
  }
}

async function headersOf(values: Readonly<Record<string, string>>): Promise<MsgHdrs> {
  const { headers } = await import("@nats-io/transport-node");
  const all = headers();
  for (const [name, value] of Object.entries(values)) all.set(name, value);
  return all;
}
