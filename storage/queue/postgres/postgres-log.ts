import { randomUUID } from "node:crypto";
import type {
  Comparison,
  ContentAt,
  Follower,
  FollowingStore,
  LoggedMaintenance,
  LogPosition,
  NewCommand,
  NewEntry,
  QueueEntry,
  Retained,
  SharedLog,
  SharedLogState,
} from "../entry.ts";
import type { Turn } from "../../lifecycle/maintenance.ts";
import type { Address } from "./address.ts";
import { Appender, type NewRow } from "./appender.ts";
import { Connection } from "./connection.ts";
import { Outage } from "./outage.ts";
import { packedMaintenance } from "./packed-maintenance.ts";
import { packedRecord } from "./packed-record.ts";
import { Reader } from "./reader.ts";
import { type Presence, Servers } from "./servers.ts";
import { checkPosition, join, type LogSettings, PATIENCE, turnDay } from "./tables.ts";

export interface PostgresLogOptions {
  /** How this server is listed among those that follow the log; its version is the program's. */
  readonly server: { readonly name: string; readonly version: string };
  readonly address: Address;
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /** Milliseconds for which commands wait while the log is out of reach; default: 30 seconds, since failovers take 20. */
  readonly maxOutage?: number;
  /** Receives a sentence when the log is out of reach, and when it is in reach again. */
  readonly onNotice: (text: string) => void;
}

const MAX_OUTAGE = 30_000;

/** Milliseconds after which a log that is out of reach counts as a lasting problem. */
const LASTING = 60_000;

/**
 * A log in a PostgreSQL database. Entries are numbered by a sequence, under a lock that lasts until they are committed: so the
 * order of the numbers is that of the commits, and nobody reads past a number that is filled later.
 */
export class PostgresLog implements SharedLog {
  readonly identity: string;
  readonly #appender: Appender;
  readonly #reader: Reader;
  readonly #reading: Outage;
  readonly #position: LogPosition;
  readonly #servers: Servers;
  /** Entries up to this id are stored. */
  #stored: number;

  private constructor(identity: string, position: LogPosition, options: PostgresLogOptions) {
    const { address, days, maxOutage = MAX_OUTAGE, onNotice } = options;
    this.identity = identity;
    this.#position = position;
    this.#stored = position.id;
    const outage = (what: string): Outage =>
      new Outage((problem) =>
        onNotice(problem === undefined ? `the command log: ${what} again` : `the command log: not ${what}: ${problem}`),
      );
    this.#reading = outage("being read");
    this.#appender = new Appender(address, { days, maxOutage, outage: outage("being written") });
    const onHalt = (reason: string): void => onNotice(`${reason}; nothing more is stored until this is repaired`);
    this.#reader = new Reader(address, { head: position.id, outage: this.#reading, onHalt });
    const presence = (): Presence => ({ position: this.#stored, problem: this.state.problem });
    this.#servers = new Servers(address, options.server, presence, {
      onAnswer: (head) => this.#reader.answeredBy(head),
      onDifference: (comparison) => onNotice(differenceText(comparison)),
    });
  }

  /**
   * Opens the log for a store; creates its tables if there are none.
   * @throws CensusError "bad-file" if the store may not follow it, "unavailable" if it is out of reach and the store is not
   * known to follow it
   */
  static async open(store: FollowingStore, options: PostgresLogOptions): Promise<PostgresLog> {
    const { position } = store;
    const identity = await joined(store, options);
    const beginning = { log: identity, id: 0, mark: undefined };
    return new PostgresLog(identity, position?.log === identity ? position : beginning, options);
  }

  get state(): SharedLogState {
    const { head, halt, oldest, answered } = this.#reader;
    const now = performance.now();
    const { outage } = this.#appender;
    const problem = halt ?? this.#reading.problem ?? outage.problem;
    return {
      head,
      problem,
      isLasting: halt !== undefined || Math.max(this.#reading.ms, outage.ms) > LASTING,
      oldest: oldest?.received,
      waiting: oldest === undefined ? 0 : now - oldest.since,
      silence: answered === undefined ? undefined : now - answered,
      comparison: this.#servers.comparison,
    };
  }

  /** What is appended is read again. */
  keepsPayload(): boolean {
    return true;
  }

  async append(entry: NewEntry, payload: Uint8Array): Promise<QueueEntry> {
    const mark = entry.mark ?? randomUUID();
    const id = await this.#appender.append({ mark, kind: "command", record: await packedRecord(entry, payload) });
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
    const ids = await this.#appender.appendAll(randomUUID(), rows());
    return added.map((entry, index) => ({ ...entry, id: ids[index] ?? 0 }));
  }

  async appendMaintenance(entry: Omit<LoggedMaintenance, "id">, turn?: Turn): Promise<boolean> {
    const row = { mark: entry.mark, kind: "maintenance", record: packedMaintenance(entry) };
    if (turn !== undefined) return this.#appender.appendTurn(row, turn);
    await this.#appender.append(row);
    return true;
  }

  follow(after: number, follower: Follower): void {
    const isBeginning = after === this.#position.id;
    const mark = isBeginning ? this.#position.mark : this.#reader.markOf(after);
    this.#reader.follow({ log: this.identity, id: after, mark }, follower);
    this.#servers.start();
  }

  markOf(id: number): string | undefined {
    return this.#reader.markOf(id);
  }

  compare(found: ContentAt): void {
    this.#servers.compare(found);
  }

  async read({ id }: QueueEntry): Promise<Uint8Array> {
    return this.#reader.payload(id);
  }

  async release(through: number): Promise<void> {
    this.#reader.release(through);
    this.#stored = Math.max(this.#stored, through);
  }

  async close(): Promise<void> {
    await this.#servers.close();
    await this.#reader.close();
    await this.#appender.close();
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

/** A store that has followed the log may be opened while the log is out of reach: queries are answered. */
async function joined(
  store: FollowingStore,
  { address, days, settings, onNotice }: PostgresLogOptions,
): Promise<string> {
  const { position } = store;
  let connection: Connection | undefined;
  try {
    connection = await Connection.open(address);
    const identity = await join(connection, store, settings);
    await turnDay(connection, days);
    if (position?.log === identity) await checkPosition(connection, position, PATIENCE);
    return identity;
  } catch (error) {
    const isOutOfReach = !(error instanceof Error && "code" in error && error.code === "bad-file");
    if (position === undefined || !isOutOfReach) throw error;
    onNotice(`the command log is out of reach: ${error instanceof Error ? error.message : String(error)}`);
    return position.log;
  } finally {
    await connection?.close();
  }
}
