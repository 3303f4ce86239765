import { Socket } from "node:net";
import type { Client } from "pg";
import { type Address, passwordOf, tlsOf } from "./address.ts";

/** Milliseconds for connecting to one server. */
const CONNECTING = 3000;

/**
 * Says whether the server is a standby. A statement that waits for others ends by itself, so that no connections pile up in the
 * server when they are given up here; one that waits for a standby must not, or its entry would be visible without one.
 */
const OPENING = `SELECT pg_is_in_recovery() AS standby,
  set_config('statement_timeout', '0', false), set_config('lock_timeout', '10s', false)`;

const TIMELINE = "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline";

/** What the database's list of connections shows of a server. */
export const SERVER = "census";

export interface ConnectionEvents {
  /** What the database's list of connections shows; default: `census`. */
  readonly program?: string;
  /** A notification has come. */
  readonly onNotification?: () => void;
  /** The connection has ended. */
  readonly onEnd?: () => void;
}

/** A connection to a server that accepts commands. What it does not answer in time ends it. */
export class Connection {
  /** How often another server has taken over before this one accepted commands; 0 where that is not known. */
  timeline = 0;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #server: string;
  #hasEnded = false;
  /** Why it was ended here. */
  #reason: string | undefined;
  /** Whether a commit has not waited for a standby, though it had to. */
  #isUnreplicated = false;
  #hasSuccessor: (() => Promise<boolean>) | undefined;

  private constructor(client: Client, socket: Socket, server: string, events: ConnectionEvents) {
    this.#client = client;
    this.#socket = socket;
    this.#server = server;
    // Without a listener an error would end the process; `end` follows each.
    client.on("error", () => undefined);
    client.on("end", () => {
      this.#hasEnded = true;
      events.onEnd?.();
    });
    client.on("notification", () => events.onNotification?.());
    // Somebody has cancelled the wait; PostgreSQL reports success nevertheless.
    client.on("notice", ({ routine }) => (this.#isUnreplicated ||= routine === "SyncRepWaitForLSN"));
  }

  /**
   * Connects to one server of an address.
   * @throws Error if it does not accept commands
   */
  static async open(
    address: Address,
    server: Address["servers"][number],
    events: ConnectionEvents = {},
  ): Promise<Connection> {
    const { Client } = await import("pg");
    const socket = new Socket();
    const client = new Client({
      ...server,
      user: address.user,
      database: address.database,
      password: await passwordOf(address),
      ssl: await tlsOf(address, server.host),
      application_name: events.program ?? SERVER,
      connectionTimeoutMillis: CONNECTING,
      keepAlive: true,
      stream: () => socket,
    });
    const connection = new Connection(client, socket, `${server.host}:${server.port}`, events);
    try {
      await client.connect();
      const [state] = await connection.rows<{ standby: boolean }>(OPENING, [], CONNECTING);
      if (state?.standby !== false) throw new Error("it is a standby, which accepts nothing");
      connection.timeline = await connection.#timeline();
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** From now on, a statement that takes long ends the connection if another server has taken over. */
  watch(hasSuccessor: () => Promise<boolean>): void {
    this.#hasSuccessor = hasSuccessor;
  }

  /** Ends the connection if another server has taken over from its server. */
  async endIfSucceeded(): Promise<void> {
    if (this.#hasEnded || (await this.#hasSuccessor?.()) !== true) return;
    this.#end("another server has taken over from it");
  }

  /**
   * Runs a statement.
   * @param ms after which the connection is ended if there is no answer
   */
  async rows<T>(text: string, values: readonly unknown[], ms: number): Promise<T[]> {
    if (this.#hasEnded) throw this.#ended();
    const timer = setTimeout(() => this.#end(`it has not answered for ${ms} ms`), ms);
    // Another server may have taken over.
    const watch = setInterval(() => void this.endIfSucceeded(), 2000);
    try {
      const { rows } = await this.#client.query({ text, values: [...values] });
      if (this.#isUnreplicated) this.#end("a commit has not waited for a standby");
      if (this.#reason !== undefined) throw this.#ended();
      return rows as T[];
    } catch (error) {
      throw this.#reason === undefined ? error : this.#ended(error);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
    }
  }

  /** Runs `work` in a transaction; an error rolls it back. */
  async transaction<T>(work: () => Promise<T>, ms: number): Promise<T> {
    // Others' entries are seen once the lock is granted.
    await this.rows("BEGIN ISOLATION LEVEL READ COMMITTED", [], ms);
    try {
      const result = await work();
      await this.rows("COMMIT", [], ms);
      return result;
    } catch (error) {
      if (!this.#hasEnded) await this.rows("ROLLBACK", [], ms).catch(() => this.destroy());
      throw error;
    }
  }

  /** Ends it properly. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    const timer = setTimeout(() => this.destroy(), CONNECTING);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** Ends it at once. */
  destroy(): void {
    this.#hasEnded = true;
    this.#socket.destroy();
  }

  async #timeline(): Promise<number> {
    try {
      const [found] = await this.rows<{ timeline: string }>(TIMELINE, [], CONNECTING);
      return Number.parseInt(found?.timeline ?? "0", 16);
    } catch (error) {
      // A service that behaves like PostgreSQL need not have files of a log.
      if (sqlState(error) === undefined) throw error;
      return 0;
    }
  }

  #end(reason: string): void {
    this.#reason ??= reason;
    this.destroy();
  }

  #ended(cause?: unknown): Error {
    return new Error(`${this.#server}: ${this.#reason ?? "the connection has ended"}`, { cause });
  }
}

/** PostgreSQL's code of an error; undefined for errors of the connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && "severity" in error ? error.code : undefined;
}
