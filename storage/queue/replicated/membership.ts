import { CensusError } from "../../errors.ts";
import type { FollowingStore, LogPosition } from "../entry.ts";

/** The format of the entries that this program adds. */
export const FORMAT = 1;

/** The base of a log that began with an empty store. */
const EMPTY = "empty";

/** Settings that decide what is stored, by their names. */
export type LogSettings = Readonly<Record<string, string>>;

/** What a log has besides its entries. */
export interface LogState {
  readonly identity: string;
  readonly format: number;
  /** The identity of the store that it began with, or `empty`; null: no store has followed it. */
  readonly base: string | null;
  /** Null: no server has followed it. */
  readonly settings: LogSettings | null;
  /** Entries up to this id are not kept any more. */
  readonly forgotten: number;
}

/**
 * Checks that a store may follow a log.
 * @param isUsed whether the log has had entries
 * @returns the base of the log
 * @throws CensusError "bad-file" if it may not
 */
export function admit(state: LogState, isUsed: boolean, store: FollowingStore, settings: LogSettings): string {
  checkFormat(state);
  checkSettings(state, settings);
  // The first store decides, unless others have added entries.
  const base = state.base ?? (store.isEmpty || isUsed ? EMPTY : store.identity);
  if (store.position?.log !== state.identity) checkBeginning(state, { base, isUsed }, store);
  return base;
}

/** @throws CensusError "bad-file" if the log has entries that only newer programs know */
function checkFormat({ format }: Pick<LogState, "format">): void {
  if (format <= FORMAT) return;
  throw refused(`it has format ${format}, this program knows format ${FORMAT}; use a newer census`);
}

/** A store that has not followed the log before must be what the log began with. */
function checkBeginning(
  { forgotten, identity }: LogState,
  { base, isUsed }: { readonly base: string; readonly isUsed: boolean },
  store: FollowingStore,
): void {
  if (store.position !== undefined) {
    throw refused(`this data directory follows another log (${store.position.log}, not ${identity})`);
  }
  // A copy of the first store may have other data by now.
  const isBase = base === EMPTY ? store.isEmpty : base === store.identity && !isUsed;
  if (!isBase) {
    const remedy = "begin with a backup of a server that follows it (docs/high-availability.md)";
    throw refused(
      store.isEmpty && base !== EMPTY
        ? `it began with data that are not in it, which this empty data directory lacks; ${remedy}`
        : `other servers follow it, whose data are not those of this data directory; ${remedy}`,
    );
  }
  if (forgotten > 0) {
    throw refused(
      `entries up to ${forgotten} are not kept any more; begin with a backup of a server that follows it (docs/high-availability.md)`,
    );
  }
}

/** @throws CensusError "bad-file" naming the first setting that is another one here */
export function checkSettings({ settings }: Pick<LogState, "settings">, own: LogSettings): void {
  for (const [name, value] of Object.entries(settings ?? {})) {
    const here = own[name];
    if (here === undefined || here === value) continue;
    throw refused(
      `${name} is ${JSON.stringify(here)} here and ${JSON.stringify(value)} for all servers that follow it; they must be the same ` +
        "(census command-log settings changes them)",
    );
  }
}

/** What a log has at a position. */
export interface FoundAt {
  /** The identity of the log; undefined: there is none. */
  readonly identity: string | undefined;
  /** Entries up to this id are not kept any more. */
  readonly forgotten: number;
  /** The mark of the last of those. */
  readonly forgottenMark: string | null;
  /** The mark of the entry at the position; null: the log has none there. */
  readonly mark: string | null;
}

/**
 * Checks that the log has the entries that were read from it.
 * @throws CensusError "bad-file" if it has lost them, or does not keep the next ones any more
 */
export function checkFound(found: FoundAt, { log, id, mark }: LogPosition): void {
  const { identity, forgotten, forgottenMark } = found;
  if (identity !== log) throw refused(`it is another log now (${identity ?? "none"}, not ${log})`);
  if (id === 0 && forgotten === 0) return;
  if (id < forgotten) {
    throw refused(
      `entries ${id + 1} to ${forgotten} are not kept any more, and this server has not stored them; ` +
        "begin again with a backup of a server that follows it (docs/high-availability.md)",
    );
  }
  const kept = id === forgotten ? forgottenMark : found.mark;
  if (kept !== null && (mark === undefined || kept === mark)) return;
  throw refused(
    `entry ${id}, which this server has stored, is ${kept === null ? "missing" : "another one now"}: the database was restored to an earlier state; ` +
      "begin a new log (docs/high-availability.md)",
  );
}

/** The error of a store that may not follow a log. */
export function refused(reason: string): CensusError {
  return new CensusError("bad-file", `the command log cannot be followed: ${reason}`);
}
