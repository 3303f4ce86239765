import { randomUUID } from "node:crypto";
import type { Turn } from "../../lifecycle/maintenance.ts";
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
  ReplicatedLog,
  ReplicatedLogState,
} from "../entry.ts";
import type { Address } from "./address.ts";
import { Appender, type NewRow } from "./appender.ts";
import { Cluster } from "./cluster.ts";
import type { LogSettings } from "./membership.ts";
import { Outage } from "./outage.ts";
import { packedMaintenance } from "./packed-maintenance.ts";
import { packedRecord } from "./packed-record.ts";
import { Reader } from "./reader.ts";
import { type Presence, Servers } from "./servers.ts";
import { checkPosition, join, PATIENCE, turnDay } from "./tables.ts";

export interface PostgresLogOptions {
  readonly address: Address;
  /** How this server is listed among those that follow the log; its version is the program's. */
  readonly server: { readonly name: string; readonly version: string };
  /** Days for which entries are kept. */
  readonly days: number;
  /** Settings that decide what is stored: they are the same wherever the log is followed. */
  readonly settings: LogSettings;
  /** Milliseconds for which commands wait while the log is out of reach; default: a minute. */
  readonly maxOutage?: number;
  /** Receives a sentence when the log is out of reach, and when it is in reach again. */
  readonly onNotice: (text: string) => void;
}

/**
 * A log in a PostgreSQL database. Entries are numbered by a sequence, under a lock that lasts until they are committed: so the
 * order of the numbers is that of the commits, and nobody reads past a number that is filled later.
 */
export class PostgresLog implements ReplicatedLog {
  readonly identity: string;
  readonly #beginning: LogPosition;
  readonly #appender: Appender;
  readonly #reader: Reader;
  readonly #reading: Outage;
  readonly #servers: Servers;
  /** Entries up to this id are stored. */
  #stored: number;

  #storeProblem: () => string | undefined = () => undefined;

  /** @param position how far the store has stored the log */
  private constructor(cluster: Cluster, position: LogPosition, options: PostgresLogOptions) {
    // With the defaults of Patroni, a failover takes up to 40 seconds.
    const { days, server, maxOutage = 60_000, onNotice } = options;
    this.identity = position.log;
    this.#beginning = position;
    this.#stored = position.id;
    const outage = (what: string): Outage =>
      new Outage((problem) =>
        onNotice(problem === undefined ? `the command log: ${what} again` : `the command log: not ${what}: ${problem}`),
      );
    this.#reading = outage("being read");
    const onHalt = (reason: string): void => onNotice(`${reason}; nothing more is stored until this is repaired`);
    this.#reader = new Reader(cluster, { head: position.id, outage: this.#reading, onHalt });
    this.#appender = new Appender(cluster, { days, maxOutage, outage: outage("being written") });
    const presence = (): Presence => ({
      position: this.#stored,
      problem: this.state.problem ?? this.#storeProblem(),
    });
    this.#servers = new Servers(cluster, server, presence, {
      onAnswer: (head) => this.#reader.answeredBy(head),
      onDifference: (comparison) => onNotice(differenceText(comparison)),
    });
  }

  /**
   * Opens the log for a store; creates its tables if there are none. A store that has followed it may be opened while the log is
   * out of reach: queries are answered.
   * @throws CensusError "bad-file" if the store may not follow it, "unavailable" if it is out of reach and the store is not
   * known to follow it
   */
  static async open(store: FollowingStore, options: PostgresLogOptions): Promise<PostgresLog> {
    const cluster = new Cluster(options.address);
    return new PostgresLog(cluster, await joinedPosition(cluster, store, options), options);
  }

  reportProblem(read: () => string | undefined): void {
    this.#storeProblem = read;
  }

  get state(): ReplicatedLogState {
    const { head, halt, oldest, answered } = this.#reader;
    const now = performance.now();
    const { outage } = this.#appender;
    return {
      head,
      problem: halt ?? this.#reading.problem ?? outage.problem,
      isLasting: halt !== undefined || Math.max(this.#reading.ms, outage.ms) > 60_000,
      oldest: oldest?.received,
      waiting: oldest === undefined ? 0 : now - oldest.since,
      silence: answered === undefined ? undefined : now - answered,
      comparison: this.#servers.comparison,
    };
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
    const ids = await this.#appender.appendAll(rows());
    return added.map((entry, index) => ({ ...entry, id: ids[index] ?? 0 }));
  }

  async appendMaintenance(entry: Omit<LoggedMaintenance, "id">, turn?: Turn): Promise<boolean> {
    const row = { mark: entry.mark, kind: "maintenance", record: packedMaintenance(entry) };
    if (turn !== undefined) return this.#appender.appendTurn(row, turn);
    await this.#appender.append(row);
    return true;
  }

  follow(after: number, follower: Follower): void {
    const { id, mark } = this.#beginning;
    this.#reader.follow({ log: this.identity, id: after, mark: after === id ? mark : this.markOf(after) }, follower);
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
}

function differenceText({ position, different }: Comparison): string {
  return (
    `this server and ${different.join(", ")} had stored different data at position ${position} of the command log; ` +
    "census command-log verify shows which tables, docs/high-availability.md says what to do"
  );
}

/** The position from which a store follows the log. */
async function joinedPosition(
  cluster: Cluster,
  store: FollowingStore,
  options: PostgresLogOptions,
): Promise<LogPosition> {
  try {
    return await joined(cluster, store, options);
  } catch (error) {
    const isOutOfReach = !(error instanceof Error && "code" in error && error.code === "bad-file");
    if (store.position === undefined || !isOutOfReach) throw error;
    options.onNotice(`the command log is out of reach: ${error instanceof Error ? error.message : String(error)}`);
    return store.position;
  }
}

async function joined(
  cluster: Cluster,
  store: FollowingStore,
  { days, settings }: PostgresLogOptions,
): Promise<LogPosition> {
  const connection = await cluster.connect();
  try {
    const log = await join(connection, store, settings);
    await turnDay(connection, days);
    if (store.position?.log !== log) return { log, id: 0, mark: undefined };
    await checkPosition(connection, store.position, PATIENCE);
    return store.position;
  } finally {
    await connection.close();
  }
}
