import type { StoredMsg } from "@nats-io/jetstream";
import type { LogPosition } from "../entry.ts";
import { refused } from "../shared/membership.ts";
import { type LoggedRow, type LogSource, MAX_PAGE, type Page } from "../shared/reader.ts";
import type { Address } from "./address.ts";
import { Connection } from "./connection.ts";
import { lastEntry, markOf, messageAt, namesOf, nextEntry, PARTS } from "./messages.ts";
import { checkPosition, MissingEntries } from "./streams.ts";

/** Milliseconds in which servers with copies may add lost entries again, before this server stops. */
const PATIENCE = 60_000;

/** Entries of the first page, and the bytes for which pages are made as large as they may be. */
const FIRST_PAGE = 4;
const PAGE_BYTES = 1024 * 1024;

/** Since when a log lacks entries that this server has stored. */
export class LossWatch {
  readonly #patience: number;
  #since: number | undefined;

  /** @param patience milliseconds in which servers with copies may add them again */
  constructor(patience = PATIENCE) {
    this.#patience = patience;
  }

  /** Checks a position. @throws as {@link checkPosition}; CensusError "bad-file" where entries are missing for too long */
  async check(connection: Connection, address: Address, position: LogPosition): Promise<void> {
    try {
      await checkPosition(connection, address, position);
      this.#since = undefined;
    } catch (error) {
      if (!(error instanceof MissingEntries)) throw error;
      this.#since ??= performance.now();
      if (performance.now() - this.#since < this.#patience) throw error;
      throw refused(`${error.message}; no server has added them again; begin a new log (docs/high-availability.md)`);
    }
  }
}

/** Reads the log by position: each request names the sequences that it wants, so no server has anything to remember. */
export class JetStreamSource implements LogSource {
  readonly #connection: Connection;
  readonly #address: Address;
  readonly #watch: LossWatch;
  #head = 0;
  /** The last entry that was read; undefined: its mark is not known. */
  #read: LogPosition | undefined;
  /** Entries that the next page may have. */
  #most = FIRST_PAGE;

  constructor(connection: Connection, address: Address, watch: LossWatch = new LossWatch()) {
    this.#connection = connection;
    this.#address = address;
    this.#watch = watch;
  }

  /** @param wake is called when there may be new entries, or the connection has ended */
  static async open(address: Address, watch: LossWatch, wake: () => void): Promise<JetStreamSource> {
    const connection = await Connection.open(address, { onEnd: wake });
    const source = new JetStreamSource(connection, address, watch);
    connection.listen(namesOf(address).added, (text) => {
      source.#see(Number(text));
      wake();
    });
    return source;
  }

  async check(position: LogPosition): Promise<void> {
    await this.#watch.check(this.#connection, this.#address, position);
    this.#see(await lastEntry(this.#connection, this.#address));
    this.#read = position;
  }

  async page(after: number): Promise<Page> {
    // Entries that come after another one than the one that was read are not the continuation of what was read.
    const [last, first] = await Promise.all([this.#lastRead(after), this.#next(after + 1)]);
    const read = this.#read;
    if (read?.mark !== undefined && read.id === after && (last === undefined || markOf(last) !== read.mark)) {
      await this.check(read);
    }
    if (first === undefined) return { rows: [], head: Math.max(after, this.#head) };
    const messages = [first, ...(await this.#following(first.seq))];
    const rows = await Promise.all(messages.map((message) => this.#rowOf(message)));
    this.#adapt(rows);
    const { id, mark } = rows.at(-1) ?? { id: after, mark: undefined };
    if (this.#read !== undefined) this.#read = { ...this.#read, id, mark };
    this.#see(id);
    return { rows, head: this.#head };
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #see(head: number): void {
    if (head > this.#head) this.#head = head;
  }

  async #lastRead(after: number): Promise<StoredMsg | undefined> {
    return this.#read?.mark === undefined ? undefined : messageAt(this.#connection, this.#address, after);
  }

  async #next(seq: number): Promise<StoredMsg | undefined> {
    const found = await nextEntry(this.#connection, this.#address, seq, false);
    // The server that answered may not have it yet.
    return found ?? (this.#head >= seq ? nextEntry(this.#connection, this.#address, seq, true) : undefined);
  }

  /** The entries after the first of a page, as far as they are expected to fit and are not missing. */
  async #following(first: number): Promise<StoredMsg[]> {
    const count = Math.max(0, Math.min(this.#most - 1, this.#head - first));
    const found = await Promise.all(
      Array.from({ length: count }, (_, index) => messageAt(this.#connection, this.#address, first + 1 + index)),
    );
    const end = found.indexOf(undefined);
    const { part } = namesOf(this.#address);
    return found
      .slice(0, end < 0 ? count : end)
      .flatMap((message) => (message === undefined || message.subject === part ? [] : [message]));
  }

  /** Makes the next page larger or smaller. */
  #adapt(rows: readonly LoggedRow[]): void {
    const bytes = rows.reduce((sum, { record }) => sum + record.length, 0);
    if (bytes > PAGE_BYTES) this.#most = Math.max(1, this.#most >> 1);
    else if (bytes < PAGE_BYTES / 4) this.#most = Math.min(MAX_PAGE, this.#most * 2);
  }

  async #rowOf(message: StoredMsg): Promise<LoggedRow> {
    const parts = message.header.get(PARTS);
    const mark = markOf(message);
    const found = await Promise.all(
      (parts === "" ? [] : parts.split(",")).map((seq) => messageAt(this.#connection, this.#address, Number(seq))),
    );
    // A missing part makes the record a damaged one.
    const isWhole = found.every((part) => part !== undefined && markOf(part) === mark);
    const bytes = isWhole ? [...found.map((part) => part?.data ?? new Uint8Array()), message.data] : [];
    return { id: message.seq, mark, kind: message.subject.split(".").at(-1) ?? "", record: Buffer.concat(bytes) };
  }
}
