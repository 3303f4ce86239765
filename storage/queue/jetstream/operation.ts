import { randomUUID } from "node:crypto";
import type { Timestamp } from "../../time.ts";
import type { LogPosition } from "../entry.ts";
import type { LogSettings } from "../shared/membership.ts";
import { checkAllStored, type LogFigures, type LogOperation, serversRun, unknownServer } from "../shared/operation.ts";
import { packedMaintenance } from "../shared/packed-maintenance.ts";
import type { FingerprintRow, ServerRow } from "../shared/servers.ts";
import { type Address, placeOf } from "./address.ts";
import { Connection, patiently, PATIENCE } from "./connection.ts";
import { lastEntry } from "./messages.ts";
import { publish } from "./publish.ts";
import { fingerprintsAt, listServers } from "./registry.ts";
import { StateStream, tokenOf } from "./state-stream.ts";
import { changeState, checkPosition, createLog, forgottenOf, infoOf, missing, stateOf } from "./streams.ts";

/** What an operator does with a log in JetStream. */
export class JetStreamOperation implements LogOperation {
  readonly place: string;
  readonly #connection: Connection;
  readonly #address: Address;
  readonly #days: number;
  readonly #state: StateStream;

  private constructor(connection: Connection, address: Address, days: number) {
    this.#connection = connection;
    this.#address = address;
    this.#days = days;
    this.#state = new StateStream(connection, address);
    this.place = placeOf(address);
  }

  /**
   * @param days for which entries are kept
   * @throws CensusError "unavailable" where it cannot be reached
   */
  static async open(address: Address, days: number): Promise<JetStreamOperation> {
    return new JetStreamOperation(await Connection.open(address, { answer: PATIENCE }), address, days);
  }

  async create(): Promise<string> {
    return patiently(this.#address, (connection) => createLog(connection, this.#address, this.#days));
  }

  async figures(): Promise<LogFigures> {
    const state = await stateOf(this.#connection, this.#address);
    const info = await infoOf(this.#connection, this.#address);
    if (state === undefined || info === undefined) throw missing();
    const { messages, bytes, first_ts: first, last_ts: last } = info.state;
    const copies = info.config.num_replicas;
    return {
      identity: state.identity,
      head: (await lastEntry(this.#connection, this.#address)) || forgottenOf(info),
      forgotten: state.forgotten,
      days: messages === 0 ? null : [first.slice(0, 10), last.slice(0, 10)],
      bytes,
      isSynchronous: copies > 1,
      commits: copies > 1 ? `wait for ${Math.floor(copies / 2) + 1} of ${copies} servers` : "wait for one server",
      settings: state.settings,
      servers: await this.#servers(),
    };
  }

  async servers(): Promise<readonly ServerRow[]> {
    await this.#existing();
    return this.#servers();
  }

  async checkPosition(position: LogPosition): Promise<void> {
    await checkPosition(this.#connection, this.#address, position);
  }

  async requestComparison(asOf: Timestamp): Promise<number> {
    await this.#existing();
    const mark = randomUUID();
    const record = packedMaintenance({ asOf, change: { kind: "compare" } });
    const row = { mark, kind: "maintenance", record };
    const { sequences } = await publish(this.#connection, this.#address, row, mark);
    return sequences.at(-1) ?? 0;
  }

  async fingerprintsAt(position: number): Promise<readonly FingerprintRow[]> {
    return fingerprintsAt(this.#state, position);
  }

  async changeSettings(settings: LogSettings): Promise<void> {
    const figures = await this.figures();
    const running = (await listServers(this.#state)).filter(({ isRunning }) => isRunning);
    if (running.length > 0) throw serversRun(running);
    checkAllStored(figures);
    await changeState(this.#connection, this.#address, (state) => ({ ...state, settings }));
  }

  async forgetServer(name: string): Promise<void> {
    await this.#existing();
    const servers = await this.#servers();
    if (!servers.some((server) => server.name === name)) throw unknownServer(name, servers);
    await this.#state.remove(`server.${tokenOf(name)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.close();
  }

  async #servers(): Promise<readonly ServerRow[]> {
    return listServers(this.#state);
  }

  async #existing(): Promise<void> {
    if ((await stateOf(this.#connection, this.#address)) === undefined) throw missing();
  }
}
