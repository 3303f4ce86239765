import { Socket } from "node:net";
import type { Client } from "pg";
import { CensusError, messageOf } from "../../errors.ts";
import { type Address, passwordOf, placeOf, tlsOf } from "./address.ts";

/** Milliseconds for connecting to one server. */
const CONNECTING = 3000;

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

/** A connection to the server that accepts commands. What it does not answer in time ends it. */
export class Connection {
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #server: string;
  #hasEnded = false;

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
  }

  /**
   * Connects to the first server that accepts commands.
   * @throws CensusError "unavailable" with the reason of each server
   */
  static async open(address: Address, events: ConnectionEvents = {}): Promise<Connection> {
    const reasons: string[] = [];
    for (const { host, port } of address.servers) {
      try {
        return await Connection.#openOne(address, { host, port }, events);
      } catch (error) {
        reasons.push(`${host}:${port}: ${messageOf(error)}`);
      }
    }
    throw new CensusError(
      "unavailable",
      `${placeOf(address)}: the command log cannot be reached: ${reasons.join("; ")}`,
    );
  }

  static async #openOne(
    address: Address,
    server: Address["servers"][number],
    events: ConnectionEvents,
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
      const [state] = await connection.rows<{ standby: boolean }>(
        "SELECT pg_is_in_recovery() AS standby",
        [],
        CONNECTING,
      );
      if (state?.standby !== false) throw new Error("it is a standby, which accepts nothing");
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Runs a statement.
   * @param ms after which the connection is ended if there is no answer
   */
  async rows<T>(text: string, values: readonly unknown[], ms: number): Promise<T[]> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.destroy();
    }, ms);
    try {
      const { rows } = await this.#client.query({ text, values: [...values] });
      return rows as T[];
    } catch (error) {
      throw isLate ? new Error(`${this.#server} has not answered for ${ms} ms`, { cause: error }) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs `work` in a transaction; an error rolls it back. */
  async transaction<T>(work: () => Promise<T>, ms: number): Promise<T> {
    await this.rows("BEGIN", [], ms);
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
}

/** PostgreSQL's code of an error; undefined for errors of the connection. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && "severity" in error ? error.code : undefined;
}
