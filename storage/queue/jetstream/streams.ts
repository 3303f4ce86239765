import { randomUUID } from "node:crypto";
import type { StreamConfig, StreamInfo } from "@nats-io/jetstream";
import { CensusError, messageOf } from "../../errors.ts";
import type { FollowingStore, LogPosition } from "../entry.ts";
import { admit, checkFound, FORMAT, type LogSettings, type LogState, refused } from "../shared/membership.ts";
import type { Address } from "./address.ts";
import { codeOf, codes, type Connection } from "./connection.ts";
import { markOf, messageAt, type Names, namesOf } from "./messages.ts";
import { StateStream } from "./state-stream.ts";

const NS_PER_DAY = 86_400_000_000_000;

/** Nanoseconds in which JetStream recognises a message that is added again. */
const DUPLICATES = 300_000_000_000;

/** What the log has besides its entries, under one subject: all but what is not kept any more. */
type Written = Omit<LogState, "forgotten">;

const STATE = "log";

/** Attempts at a change that others may make at the same time. */
const ATTEMPTS = 20;

/**
 * Creates the streams of a new log.
 * @param days for which entries are kept
 * @returns its identity
 * @throws CensusError "conflict" if there is a log already
 */
export async function createLog(connection: Connection, address: Address, days: number): Promise<string> {
  if ((await infoOf(connection, address)) !== undefined) {
    const state = await writtenState(connection, address);
    if (state !== undefined) throw new CensusError("conflict", `there is a command log already: ${state.identity}`);
  }
  await ensureStreams(connection, address, days);
  return (await ensureState(connection, address)).identity;
}

/** The log's stream; undefined: there is none. */
export async function infoOf(connection: Connection, { stream }: Address): Promise<StreamInfo | undefined> {
  try {
    return await connection.request(({ manager }) => manager.streams.info(stream));
  } catch (error) {
    if (codeOf(error) === codes.streamNotFound) return undefined;
    throw error;
  }
}

/** What a log has besides its entries; undefined: there is no log. */
export async function stateOf(connection: Connection, address: Address): Promise<LogState | undefined> {
  const info = await infoOf(connection, address);
  const written = info && (await writtenState(connection, address));
  return info && written && { ...written, forgotten: forgottenOf(info) };
}

/** Entries up to this id are not kept any more. */
export function forgottenOf({ state }: StreamInfo): number {
  return Math.max(0, state.first_seq - 1);
}

/**
 * Creates the streams if there are none, and checks that a store may follow the log.
 * @param days for which entries are kept
 * @returns the identity of the log
 * @throws CensusError "bad-file" if it may not
 */
export async function joinLog(
  connection: Connection,
  address: Address,
  { store, settings, days }: { readonly store: FollowingStore; readonly settings: LogSettings; readonly days: number },
): Promise<string> {
  const info = await ensureStreams(connection, address, days);
  await ensureState(connection, address);
  const state = await changeState(connection, address, (written) => {
    const base = admit({ ...written, forgotten: forgottenOf(info) }, info.state.last_seq > 0, store, settings);
    return { ...written, base, settings: written.settings ?? settings };
  });
  return state.identity;
}

/**
 * Changes the state of a log that exists.
 * @param change may be called several times; its errors are passed on
 */
export async function changeState(
  connection: Connection,
  address: Address,
  change: (state: Written) => Written,
): Promise<Written> {
  const stream = new StateStream(connection, address);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await stream.get<Written>(STATE);
    if (found === undefined) throw missing();
    const changed = change(found.value);
    if (JSON.stringify(changed) === JSON.stringify(found.value)) return changed;
    if (await stream.put(STATE, changed, found.sequence)) return changed;
  }
  throw new CensusError("unavailable", "the command log: others change its settings all the time");
}

/** The error where a cluster has no log. */
export function missing(): CensusError {
  return new CensusError("bad-file", "the cluster has no command log; census command-log create makes one");
}

/** A log has fewer entries than were read from it: servers with copies may add them again. */
export class MissingEntries extends CensusError {
  constructor(end: number, { id }: LogPosition) {
    const text = `the command log has lost entries after ${end}, of which this server has stored those up to ${id}`;
    super("unavailable", text);
  }
}

/**
 * Checks that the log has the entries that were read from it.
 * @throws CensusError "bad-file" if it has lost them, or does not keep the next ones any more; {@link MissingEntries} where it
 * has fewer entries than were read
 */
export async function checkPosition(connection: Connection, address: Address, position: LogPosition): Promise<void> {
  const info = await infoOf(connection, address);
  const { identity } = (info && (await writtenState(connection, address))) ?? {};
  if (info !== undefined && identity === position.log && position.id > info.state.last_seq) {
    throw new MissingEntries(info.state.last_seq, position);
  }
  const forgotten = info === undefined ? 0 : forgottenOf(info);
  const isKept = position.id > forgotten;
  const found = isKept ? await messageAt(connection, address, position.id, true) : undefined;
  const mark = found === undefined ? null : markOf(found);
  checkFound({ identity, forgotten, forgottenMark: undefined, mark }, position, LOST);
}

/** What has happened where entries are not those that were read. */
const LOST = "JetStream has lost entries, and others have their places now";

async function writtenState(connection: Connection, address: Address): Promise<Written | undefined> {
  return (await new StateStream(connection, address).get<Written>(STATE))?.value;
}

async function ensureState(connection: Connection, address: Address): Promise<Written> {
  const known = await writtenState(connection, address);
  if (known !== undefined) return known;
  const fresh: Written = { identity: randomUUID(), format: FORMAT, base: null, settings: null };
  const isOurs = await new StateStream(connection, address).put(STATE, fresh, 0);
  const state = isOurs ? fresh : await writtenState(connection, address);
  if (state === undefined) throw missing();
  return state;
}

async function ensureStreams(connection: Connection, address: Address, days: number): Promise<StreamInfo> {
  const names = namesOf(address);
  const replicas = address.replicas ?? (connection.isClustered ? 3 : 1);
  const shared = { num_replicas: replicas, allow_direct: true, duplicate_window: DUPLICATES };
  await ensureStream(connection, names.state, { ...shared, subjects: [`${names.state}.>`], max_msgs_per_subject: 1 });
  const log = {
    ...shared,
    subjects: [names.entries, names.part],
    max_age: days * NS_PER_DAY,
    deny_delete: true,
    deny_purge: true,
  };
  const info = await ensureStream(connection, names.log, log);
  if (info.config.max_age === log.max_age) return info;
  return connection.request(({ manager }) => manager.streams.update(names.log, { max_age: log.max_age }));
}

async function ensureStream(
  connection: Connection,
  name: Names["log"],
  config: Partial<StreamConfig> & Pick<StreamConfig, "subjects">,
): Promise<StreamInfo> {
  for (let isAdded = false; ; isAdded = true) {
    try {
      const info = await connection.request(({ manager }) => manager.streams.info(name));
      const subjects = info.config.subjects?.toSorted().join(" ");
      if (subjects !== config.subjects.toSorted().join(" ")) {
        throw refused(`the stream ${name} has other subjects; name another one`);
      }
      if (info.config.allow_direct) return info;
      throw refused(`the stream ${name} cannot be read directly; set its allow_direct to true`);
    } catch (error) {
      if (codeOf(error) !== codes.streamNotFound || isAdded) throw error;
      await connection
        .request(({ manager }) => manager.streams.add({ name, ...config }))
        .catch((reason: unknown) => {
          // Another server has been faster.
          if (codeOf(reason) === codes.streamExists) return;
          if (codeOf(reason) === undefined) throw reason;
          throw new CensusError("unavailable", `the stream ${name} cannot be made: ${messageOf(reason)}`, {
            cause: reason,
          });
        });
    }
  }
}
