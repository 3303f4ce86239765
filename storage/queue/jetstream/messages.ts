import type { StoredMsg } from "@nats-io/jetstream";
import type { Address } from "./address.ts";
import type { Connection } from "./connection.ts";

/** The header of an entry with its mark. */
export const MARK = "Census-Mark";

/** The header of an entry whose record begins in other messages: their sequences, separated by commas. */
export const PARTS = "Census-Parts";

/** The streams and subjects of a log. */
export interface Names {
  readonly log: string;
  readonly state: string;
  /** The subjects of entries; the last part is the kind. */
  readonly entries: string;
  /** The subject of beginnings of large entries. */
  readonly part: string;
  /** Where servers notify each other of new entries; nothing is kept there. */
  readonly added: string;
}

export function namesOf({ stream }: Pick<Address, "stream">): Names {
  return {
    log: stream,
    state: `${stream}_state`,
    entries: `${stream}.entry.*`,
    part: `${stream}.part`,
    added: `${stream}.added`,
  };
}

/** The subject of entries of a kind. */
export function subjectOf({ stream }: Pick<Address, "stream">, kind: string): string {
  return `${stream}.entry.${kind}`;
}

/** The mark of a message; empty: it has none. */
export function markOf(message: StoredMsg): string {
  return message.header.get(MARK);
}

/**
 * A message of the log; undefined: there is none with this sequence.
 * @param isSure whether to query the server that accepts messages: others may not have the newest yet
 */
export async function messageAt(
  connection: Connection,
  { stream }: Pick<Address, "stream">,
  seq: number,
  isSure = false,
): Promise<StoredMsg | undefined> {
  return connection.request(async ({ manager: { direct, streams } }) => {
    const found = isSure ? undefined : await direct.getMessage(stream, { seq });
    return found ?? (await streams.getMessage(stream, { seq })) ?? undefined;
  });
}

/**
 * The first entry from a sequence on; undefined: there is none.
 * @param isSure as for {@link messageAt}
 */
export async function nextEntry(
  connection: Connection,
  address: Pick<Address, "stream">,
  seq: number,
  isSure: boolean,
): Promise<StoredMsg | undefined> {
  const query = { seq, next_by_subj: namesOf(address).entries };
  const found = await connection.request(({ manager: { direct, streams } }) =>
    isSure ? streams.getMessage(address.stream, query) : direct.getMessage(address.stream, query),
  );
  return found ?? undefined;
}

/** The sequence of the last entry; 0: there is none. */
export async function lastEntry(connection: Connection, address: Pick<Address, "stream">): Promise<number> {
  const query = { last_by_subj: namesOf(address).entries };
  const found = await connection.request(({ manager }) => manager.streams.getMessage(address.stream, query));
  return found?.seq ?? 0;
}
