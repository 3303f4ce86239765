import { setTimeout as pause } from "node:timers/promises";
import { CensusError, messageOf } from "../../errors.ts";
import { type Address, placeOf } from "./address.ts";
import { Connection, type ConnectionEvents } from "./connection.ts";

/**
 * The servers of an address. Of those that accept commands, the one with the highest timeline is used: a server from which
 * another has taken over while it was frozen or cut off does not know that, and has a lower one. Through a proxy only one
 * server is seen at a time, so one with a lower timeline than another before it is not used either.
 */
export class Cluster {
  readonly #address: Address;
  /** The highest timeline of a server that was used. */
  #reached = 0;
  #look: { readonly at: number; readonly timeline: Promise<number> } | undefined;

  constructor(address: Address) {
    this.#address = address;
  }

  /**
   * Connects to the server that accepts commands.
   * @throws CensusError "unavailable" with the reason of each server
   */
  async connect(events: ConnectionEvents = {}): Promise<Connection> {
    const connection = await this.#newest(events);
    if (this.#address.servers.length > 1) {
      connection.watch(async () => (await this.#newestTimeline()) > connection.timeline);
    }
    return connection;
  }

  async #newest(events: ConnectionEvents): Promise<Connection> {
    const found: Connection[] = [];
    const reasons: string[] = [];
    let isChosen = false;
    const attempts = this.#address.servers.map(async (server) => {
      try {
        const connection = await Connection.open(this.#address, server, events);
        if (isChosen) await connection.close();
        else found.push(connection);
      } catch (error) {
        reasons.push(`${server.host}:${server.port}: ${messageOf(error)}`);
        throw error;
      }
    });
    await Promise.any(attempts).catch(() => undefined);
    // Await further servers once one accepts commands: another may have taken over from it.
    await Promise.race([Promise.allSettled(attempts), pause(500, undefined, { ref: false })]);
    isChosen = true;
    const [newest, ...others] = found.toSorted((one, other) => other.timeline - one.timeline);
    for (const other of others) void other.close();
    if (newest !== undefined && newest.timeline >= this.#reached) {
      this.#reached = newest.timeline;
      return newest;
    }
    if (newest !== undefined) {
      void newest.close();
      reasons.push(
        `another server has taken over from the one that accepts commands (timeline ${newest.timeline}, not ${this.#reached})`,
      );
    }
    throw new CensusError(
      "unavailable",
      `${placeOf(this.#address)}: the command log cannot be reached: ${reasons.join("; ")}`,
    );
  }

  /** The highest timeline of servers that accept commands; 0: there is none. */
  async #newestTimeline(): Promise<number> {
    const now = performance.now();
    if (this.#look === undefined || now - this.#look.at > 2000) {
      const look = async (): Promise<number> => {
        const connection = await this.#newest({});
        void connection.close();
        return connection.timeline;
      };
      this.#look = { at: now, timeline: look().catch(() => 0) };
    }
    return this.#look.timeline;
  }
}
