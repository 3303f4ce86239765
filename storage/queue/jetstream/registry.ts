import type { ContentAt } from "../entry.ts";
import type { FingerprintRow, Registry, ServerRow } from "../shared/servers.ts";
import type { Address } from "./address.ts";
import { Connection } from "./connection.ts";
import { lastEntry } from "./messages.ts";
import { StateStream, tokenOf } from "./state-stream.ts";

/** What a server says of itself. */
interface Said extends Omit<ServerRow, "silence"> {
  /** Whether it has ended properly. */
  readonly hasEnded: boolean;
}

/** Seconds without a word from a server after which it does not count as running. */
const SILENT = 30;

/** The values of the state stream in which servers note how far they are, and what they had stored. */
export class JetStreamRegistry implements Registry {
  readonly #connection: Connection;
  readonly #address: Address;
  readonly #state: StateStream;
  #said: Said | undefined;

  private constructor(connection: Connection, address: Address) {
    this.#connection = connection;
    this.#address = address;
    this.#state = new StateStream(connection, address);
  }

  static async open(address: Address): Promise<JetStreamRegistry> {
    return new JetStreamRegistry(await Connection.open(address), address);
  }

  get hasEnded(): boolean {
    return this.#connection.hasEnded;
  }

  async say(server: Omit<ServerRow, "silence">): Promise<number> {
    await this.#write({ ...server, hasEnded: false });
    return lastEntry(this.#connection, this.#address);
  }

  async note(server: string, found: ContentAt): Promise<void> {
    await this.#state.put(`fingerprint.${tokenOf(server)}`, { server, ...found });
  }

  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#state, position);
  }

  async close(): Promise<void> {
    if (this.#said !== undefined && !this.hasEnded) {
      await this.#write({ ...this.#said, hasEnded: true }).catch(() => undefined);
    }
    await this.#connection.close();
  }

  destroy(): void {
    this.#connection.destroy();
  }

  async #write(said: Said): Promise<void> {
    this.#said = said;
    await this.#state.put(`server.${tokenOf(said.name)}`, said);
  }
}

/** What servers have noted for a position, by their names. */
export async function fingerprintsAt(state: StateStream, position: number): Promise<FingerprintRow[]> {
  const all = await state.list<FingerprintRow & { readonly position: number }>("fingerprint.*");
  return all
    .map(({ value }) => value)
    .filter((value) => value.position === position)
    .map(({ server, schema, tables }) => ({ server, schema, tables }))
    .sort((a, b) => (a.server < b.server ? -1 : 1));
}

/** A server that has followed the log. */
export interface ListedServer extends ServerRow {
  readonly isRunning: boolean;
}

/** All servers that have followed the log, by their names. */
export async function listServers(state: StateStream): Promise<ListedServer[]> {
  // The clocks of this machine and of the server of the log may differ.
  await state.put("clock", {});
  const now = (await state.get("clock"))?.ms ?? 0;
  const all = await state.list<Said>("server.*");
  return all
    .map(({ ms, value: { hasEnded, ...said } }) => {
      const silence = Math.max(0, now - ms) / 1000;
      return { ...said, silence, isRunning: !hasEnded && silence <= SILENT };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Removes servers that were away for so long that they begin again with a copy. */
export async function removeOldServers(state: StateStream, days: number): Promise<void> {
  for (const { name, silence } of await listServers(state)) {
    if (silence > (days + 1) * 86_400) await state.remove(`server.${tokenOf(name)}`);
  }
}
