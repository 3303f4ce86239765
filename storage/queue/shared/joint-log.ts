import { randomUUID } from "node:crypto";
import { CensusError } from "../../errors.ts";
import type { Turn } from "../../lifecycle/maintenance.ts";
import type {
  Comparison,
  ContentAt,
  Follower,
  LoggedMaintenance,
  LogPosition,
  NewCommand,
  NewEntry,
  QueueEntry,
  Retained,
  SharedLog,
  SharedLogState,
} from "../entry.ts";
import { Outage } from "./outage.ts";
import { packedMaintenance } from "./packed-maintenance.ts";
import { packedRecord } from "./packed-record.ts";
import { type OpenSource, Reader } from "./reader.ts";
import { type Presence, type Registry, Servers } from "./servers.ts";

/** What is added to a log. */
export interface NewRow {
  readonly mark: string;
  readonly kind: string;
  readonly record: Buffer;
}

/** Adds entries to a log. */
export interface RowAppender {
  readonly outage: Outage;
  /** @returns the id of the entry once the log has it. @throws CensusError "unavailable" */
  append(row: NewRow): Promise<number>;
  /**
   * Adds entries, all or none.
   * @returns their ids
   * @throws CensusError "unavailable"; errors of `rows`
   */
  appendAll(rows: AsyncIterable<NewRow>): Promise<readonly number[]>;
  /** Adds an entry unless another process has taken the turn. @returns whether it was added. @throws CensusError "unavailable" */
  appendTurn(row: NewRow, turn: Turn): Promise<boolean>;
  close(): Promise<void>;
}

/** How a log of one kind is reached. */
export interface LogParts {
  /** How this server is listed among those that follow the log; its version is the program's. */
  readonly server: { readonly name: string; readonly version: string };
  readonly openSource: OpenSource;
  /** Undefined: this server is not listed among those that follow the log, nor compared with them. */
  readonly openRegistry: (() => Promise<Registry>) | undefined;
  /**
   * Undefined: this server only follows the log.
   * @param seen returns the id of the last entry that was seen in the log
   */
  readonly appender: ((outage: Outage, seen: () => number) => RowAppender) | undefined;
  /** Receives a sentence when the log is out of reach, and when it is in reach again. */
  readonly onNotice: (text: string) => void;
}

/** Milliseconds for which commands wait while the log is out of reach: with the defaults of Patroni, a failover takes up to 40 seconds. */
export const MAX_OUTAGE = 60_000;

/** Bytes that may wait while the log is out of reach. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** Milliseconds after which a log that is out of reach counts as a lasting problem. */
const LASTING = 60_000;

/** A log that knows from where it is followed. */
export interface ObservedLog extends SharedLog {
  /** How far its store had stored it when it was opened. */
  readonly beginning: LogPosition;
}

/** A log outside of this machine, which several servers share. */
export class JointLog implements ObservedLog {
  readonly identity: string;
  readonly beginning: LogPosition;
  readonly #appender: RowAppender | undefined;
  readonly #reader: Reader;
  readonly #reading: Outage;
  readonly #servers: Servers | undefined;
  /** Entries up to this id are stored. */
  #stored: number;

  /** @param position how far the store has stored the log */
  constructor(position: LogPosition, { server, openSource, openRegistry, appender, onNotice }: LogParts) {
    this.identity = position.log;
    this.beginning = position;
    this.#stored = position.id;
    const outage = (what: string): Outage =>
      new Outage((problem) =>
        onNotice(problem === undefined ? `the command log: ${what} again` : `the command log: not ${what}: ${problem}`),
      );
    this.#reading = outage("being read");
    const onHalt = (reason: string): void => onNotice(`${reason}; nothing more is stored until this is repaired`);
    this.#reader = new Reader(openSource, { head: position.id, outage: this.#reading, onHalt });
    this.#appender = appender?.(outage("being written"), () => this.#reader.head);
    if (openRegistry === undefined) return;
    const presence = (): Presence => ({ position: this.#stored, problem: this.state.problem });
    this.#servers = new Servers(openRegistry, server, presence, {
      onAnswer: (head) => this.#reader.answeredBy(head),
      onDifference: (comparison) => onNotice(differenceText(comparison)),
    });
  }

  get state(): SharedLogState {
    const { head, halt, oldest, answered } = this.#reader;
    const now = performance.now();
    const outage = this.#appender?.outage;
    const problem = halt ?? this.#reading.problem ?? outage?.problem;
    return {
      head,
      problem,
      isLasting: halt !== undefined || Math.max(this.#reading.ms, outage?.ms ?? 0) > LASTING,
      oldest: oldest?.received,
      waiting: oldest === undefined ? 0 : now - oldest.since,
      silence: answered === undefined ? undefined : now - answered,
      comparison: this.#servers?.comparison,
    };
  }

  /** What is appended is read again. */
  keepsPayload(): boolean {
    return true;
  }

  async append(entry: NewEntry, payload: Uint8Array): Promise<QueueEntry> {
    const mark = entry.mark ?? randomUUID();
    const id = await this.#writable.append({ mark, kind: "command", record: await packedRecord(entry, payload) });
    return { ...entry, mark, id, size: payload.length };
  }

  async appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]> {
    const added: Omit<QueueEntry, "id">[] = [];
    const rows = async function* (): AsyncGenerator<NewRow> {
      for await (const { entry, payload } of commands) {
        const mark = randomUUID();
        added.push({ ...entry, mark, size: payload.length });
        yield { mark, kind: "command", record: await packedRecord(entry, payload) };
      }
    };
    const ids = await this.#writable.appendAll(rows());
    return added.map((entry, index) => ({ ...entry, id: ids[index] ?? 0 }));
  }

  async appendMaintenance(entry: Omit<LoggedMaintenance, "id">, turn?: Turn): Promise<boolean> {
    const row = { mark: entry.mark, kind: "maintenance", record: packedMaintenance(entry) };
    if (turn !== undefined) return this.#writable.appendTurn(row, turn);
    await this.#writable.append(row);
    return true;
  }

  follow(after: number, follower: Follower): void {
    const isBeginning = after === this.beginning.id;
    const mark = isBeginning ? this.beginning.mark : this.#reader.markOf(after);
    this.#reader.follow({ log: this.identity, id: after, mark }, follower);
    this.#servers?.start();
  }

  markOf(id: number): string | undefined {
    return this.#reader.markOf(id);
  }

  compare(found: ContentAt): void {
    this.#servers?.compare(found);
  }

  async read({ id }: QueueEntry): Promise<Uint8Array> {
    return this.#reader.payload(id);
  }

  async release(through: number): Promise<void> {
    this.#reader.release(through);
    this.#stored = Math.max(this.#stored, through);
  }

  async close(): Promise<void> {
    await this.#servers?.close();
    await this.#reader.close();
    await this.#appender?.close();
  }

  get #writable(): RowAppender {
    if (this.#appender === undefined) throw new CensusError("unavailable", "this server only follows the command log");
    return this.#appender;
  }

  /** Nothing is postponed, since what comes after it would then be stored before it. */
  async postpone(): Promise<void> {
    throw new Error("a command of a log that others follow cannot be postponed");
  }

  async settle(): Promise<void> {
    // Nothing is postponed.
  }

  async drop(): Promise<void> {
    // Each process discards it when it reaches it.
  }

  async retained(after: number): Promise<Retained> {
    return { entries: [], through: after };
  }

  async checkpointed(): Promise<void> {
    // The log is kept for days.
  }

  removableBytes(): number {
    return 0;
  }

  async freeReserved(): Promise<void> {
    // Nothing is reserved.
  }
}

function differenceText({ position, different }: Comparison): string {
  return (
    `this server and ${different.join(", ")} had stored different data at position ${position} of the command log; ` +
    "census command-log verify shows which tables, docs/high-availability.md says what to do"
  );
}

/** A server that follows a log without being one of its servers: it adds nothing, and is not compared with them. */
export interface Observing {
  /** How far logs are stored, whatever their addresses are. */
  readonly known: readonly LogPosition[];
  /** How far the log is stored that had this address; undefined: none had. */
  readonly last: LogPosition | undefined;
}

/** Where a server begins that observes a log, besides where it has come. */
export interface Beginning {
  /** The identity of the log. */
  readonly identity: string;
  /** Entries up to this id are not kept any more. */
  readonly forgotten: number;
}

/**
 * The position from which a store follows a log. A store that has followed it may be opened while the log is out of reach:
 * queries are answered.
 * @param ways.last how far it has followed the log; undefined: that is not known
 * @param ways.join joins the log; resolves with the position
 * @param ways.onNotice receives that the log is out of reach
 * @throws CensusError "bad-file" if the store may not follow it, "unavailable" if it is out of reach and the store is not
 * known to follow it
 */
export async function joinedPosition({
  last,
  join,
  onNotice,
}: {
  readonly last: LogPosition | undefined;
  readonly join: () => Promise<LogPosition>;
  readonly onNotice: (text: string) => void;
}): Promise<LogPosition> {
  try {
    return await join();
  } catch (error) {
    const isOutOfReach = !(error instanceof Error && "code" in error && error.code === "bad-file");
    if (last === undefined || !isOutOfReach) throw error;
    onNotice(`the command log is out of reach: ${error instanceof Error ? error.message : String(error)}`);
    return last;
  }
}

/** Where a store goes on that has joined a log. */
export function positionIn(identity: string, position: LogPosition | undefined): LogPosition {
  return position?.log === identity ? position : { log: identity, id: 0, mark: undefined };
}

/** Where a server goes on that observes a log. What the log does not keep any more is missing there. */
export function observedPosition({ identity, forgotten }: Beginning, { known }: Observing): LogPosition {
  return known.find(({ log }) => log === identity) ?? { log: identity, id: forgotten, mark: undefined };
}
