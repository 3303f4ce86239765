import { CensusError } from "../../errors.ts";
import type { Timestamp } from "../../time.ts";
import type { LogPosition } from "../entry.ts";
import type { LogSettings } from "./membership.ts";
import type { FingerprintRow, ServerRow } from "./servers.ts";

/** A log as its operator sees it. */
export interface LogFigures {
  readonly identity: string;
  /** The id of the last entry; 0: there is none. */
  readonly head: number;
  /** Entries up to this id are not kept any more. */
  readonly forgotten: number;
  /** The first and the last UTC day of which there are entries, `2026-11-20`; null: there are none. */
  readonly days: readonly [string, string] | null;
  readonly bytes: number;
  /** Whether an entry is acknowledged only once more than one server of the log has it. */
  readonly isSynchronous: boolean;
  /** When entries are acknowledged, for people: `wait for a standby`. */
  readonly commits: string;
  /** Null: no server has followed it. */
  readonly settings: LogSettings | null;
  readonly servers: readonly ServerRow[];
}

/** What an operator does with a log, over one connection. Without a log, all but {@link create} throw CensusError "bad-file". */
export interface LogOperation extends AsyncDisposable {
  /** The address, without secrets. */
  readonly place: string;
  /** Creates the log. @returns its identity. @throws CensusError "conflict" if there is one already */
  create(): Promise<string>;
  figures(): Promise<LogFigures>;
  /** All servers that have followed the log within its retention, by their names. */
  servers(): Promise<readonly ServerRow[]>;
  /** @throws CensusError "bad-file" if the log has lost what was read from it, or does not keep the next entries any more */
  checkPosition(position: LogPosition): Promise<void>;
  /**
   * Adds an entry at which all servers note what they have stored.
   * @param asOf the time of the request
   * @returns the position
   */
  requestComparison(asOf: Timestamp): Promise<number>;
  /** What servers have noted for a position, by their names. */
  fingerprintsAt(position: number): Promise<readonly FingerprintRow[]>;
  /**
   * Changes the settings that decide what is stored. No server may run, and all must be at the end of the log: what comes
   * after it is stored with the new settings everywhere.
   * @throws CensusError "conflict" if servers run, or have not stored all of it
   */
  changeSettings(settings: LogSettings): Promise<void>;
  /**
   * Removes a server from the list of those that follow the log.
   * @throws CensusError "bad-input" if there is none with this name
   */
  forgetServer(name: string): Promise<void>;
}

/** @throws CensusError "conflict" naming the servers that have not stored all of a log */
export function checkAllStored({ head, servers }: Pick<LogFigures, "head" | "servers">): void {
  const late = servers.filter(({ position }) => position < head);
  if (late.length === 0) return;
  throw new CensusError(
    "conflict",
    `not all servers have stored the log up to ${head}: ${late.map(({ name, position }) => `${name} is at ${position}`).join(", ")}; ` +
      "start them with their present settings until they have, or remove those that will not come back: census command-log forget NAME",
  );
}

/** The error where servers must not run. */
export function serversRun(servers: readonly ServerRow[]): CensusError {
  return new CensusError("conflict", `servers are connected to the log; stop all of them first: ${names(servers)}`);
}

/** The error where there is no server with a name. */
export function unknownServer(name: string, servers: readonly ServerRow[]): CensusError {
  return new CensusError("bad-input", `no server ${name} follows the log; there are: ${names(servers)}`);
}

function names(servers: readonly ServerRow[]): string {
  return servers.map(({ name }) => name).join(", ");
}
