import type { Anonymizer } from "#storage/anonymize/anonymizer.ts";
import { anonymizedCommand } from "#storage/anonymize/archive.ts";
import { type ArchiveCommand, type ArchiveCommandName, readArchive, readMetadata } from "#storage/archive/contents.ts";
import { type ArchivePart, kindOf } from "#storage/archive/document-kinds.ts";
import { readHistory } from "#storage/archive/history.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { stringifyJson } from "#storage/json.ts";
import type { ArchivedRow } from "#storage/history/archived/rows.ts";
import { freeBytes, type Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { type Clock, fixedClock, parseTimestamp, type Timestamp, timestampOfMillis } from "#storage/time.ts";
import { commands } from "#storage/wire/commands.ts";
import { headOf } from "#storage/wire/scan.ts";
import { startProgress } from "./progress.ts";

export interface ImportOptions {
  /**
   * Called for each skipped member with the reason. Without it, an invalid member makes the import fail and the store
   * stays unchanged.
   */
  readonly onSkipped?: (what: string, reason: string) => void;
  /** Called for each member that is neither metadata nor a command nor history. */
  readonly onIgnored?: (member: string) => void;
  /**
   * Called for each part of the history that is not imported: the rest is, as are the commands. Without it the import fails,
   * as for an invalid member.
   */
  readonly onHistoryLeftOut?: (what: string, reason: string) => void;
  /** Called with the node of each command, as the name of its member has it. */
  readonly onNode?: (certname: string) => void;
  /** Called with the bytes of the archive that have been read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /**
   * Called each time that what has been imported so far can be read. Without it all is imported in one transaction, or nothing.
   */
  readonly onReadable?: (() => void) | undefined;
  /** Ends the import, which then throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** What of the archive is imported; absent: all. */
  readonly part?: ArchivePart | undefined;
  /** Anonymizes every document before it is imported. */
  readonly anonymizer?: Anonymizer | undefined;
}

/** The number of imported commands by name. */
export type Imported = ReadonlyMap<ArchiveCommandName, number>;

/**
 * Imports an archive and its history into a store, with progress on a terminal.
 * @throws CensusError "bad-file" for an archive or a member of it that cannot be read; the store is as it was
 */
export async function importArchive(store: Store, path: string, options: ImportOptions = {}): Promise<Imported> {
  const { onSkipped, onIgnored, onProgress, onReadable, signal, anonymizer, part } = options;
  const refuse = (what: string, reason: string): never => {
    throw new CensusError("bad-file", `${path}: ${what}: ${reason}`);
  };
  const { onHistoryLeftOut = refuse } = options;
  let hasHistory = false;
  const onHistory = (): void => {
    hasHistory = true;
  };
  const counts = new Map<ArchiveCommandName, number>();
  const members = new WeakMap<Submission, string>();
  const progress = startProgress(`Reading ${path}`);
  const count = (command: ArchiveCommandName, by: 1 | -1): void => {
    counts.set(command, (counts.get(command) ?? 0) + by);
  };

  const update = (done: number, total: number): void => {
    progress.update(done, total);
    onProgress?.(done, total);
  };

  /** Whether all of a command is stored now: of what is always stored, only in the first part. */
  const isAdded = (command: ArchiveCommandName): boolean => {
    const kind = kindOf(command);
    if (part === undefined) return true;
    return kind === undefined ? part.stored === undefined : part.adds.has(kind);
  };

  /** Undefined for a command that is skipped because it cannot be anonymized. */
  function submissionOf(found: ArchiveCommand, received: Timestamp): Submission | undefined {
    const { command, version, certname, payload, member } = found;
    if (anonymizer === undefined) {
      if (isAdded(command)) return { command, version, certname, payload, received };
      const head = headOf(found, payload, store.bounds) ?? payload;
      if (head !== payload) freeBytes(payload);
      return { command, version, certname, payload: head, received, isHead: true };
    }
    try {
      const document = anonymizedCommand(path, found, anonymizer, new Date(Number(received / 1000n)));
      const { newest } = commands[command];
      return {
        command,
        version: newest,
        certname: anonymizer.certname(certname),
        payload: stringifyJson(document),
        received,
      };
    } catch (error) {
      if (onSkipped === undefined || !(error instanceof CensusError)) throw error;
      onSkipped(`member ${JSON.stringify(member)}`, messageOf(error.cause));
      return undefined;
    }
  }

  async function* submissions(): AsyncGenerator<Submission> {
    const received = store.clock.now();
    let begun = false;
    try {
      const only = part?.stored === undefined ? undefined : isAdded;
      for await (const found of readArchive(path, { only, onProgress: update, onIgnored, onHistory })) {
        begun = true;
        signal?.throwIfAborted();
        const submission = submissionOf(found, received);
        if (submission === undefined) continue;
        members.set(submission, found.member);
        count(found.command, 1);
        options.onNode?.(found.certname);
        yield submission;
      }
    } catch (error) {
      if (onSkipped === undefined || !begun || !(error instanceof CensusError)) throw error;
      onSkipped("the rest of the archive", error.message);
    }
  }

  /** Read after the commands, because changes are of nodes. */
  async function* history(): AsyncGenerator<ArchivedRow> {
    if (!hasHistory || part?.adds.has("history") === false) return;
    if (anonymizer !== undefined) {
      onHistoryLeftOut("the history", "changes are not anonymized");
      return;
    }
    try {
      yield* readHistory(path, (await readMetadata(path)).directory, onHistoryLeftOut);
    } catch (error) {
      if (onSkipped === undefined || !(error instanceof CensusError)) throw error;
      onHistoryLeftOut("the rest of the history", error.message);
    }
  }

  const onInvalid = (submission: Submission, error: Error): void => {
    if (!(error instanceof CensusError)) throw error;
    const what = `member ${JSON.stringify(members.get(submission) ?? submission.certname)}`;
    if (onSkipped === undefined) {
      throw new CensusError("bad-file", `${path}: ${what}: ${error.message}`, { cause: error });
    }
    count(submission.command as ArchiveCommandName, -1);
    onSkipped(what, messageOf(error));
  };
  const onLeftOut = (certname: string, reason: string): void => onHistoryLeftOut(`the history of ${certname}`, reason);
  try {
    const exported = (await archiveClock(path))?.now();
    await store.importAll(submissions(), {
      onInvalid,
      history: { rows: history, exported, onLeftOut },
      part,
      onReadable,
    });
  } finally {
    progress.stop();
  }
  return counts;
}

/**
 * A clock fixed at the export time of an archive; undefined when the archive does not contain it.
 * @throws CensusError "bad-file" when it is not an archive
 */
export async function archiveClock(path: string): Promise<Clock | undefined> {
  const { timestamp } = await readMetadata(path);
  return timestamp === undefined
    ? undefined
    : fixedClock(parseTimestamp(timestamp) ?? timestampOfMillis(Date.parse(timestamp)));
}

/** The total number of commands. */
export function totalOf(imported: Imported): number {
  return [...imported.values()].reduce((sum, count) => sum + count, 0);
}
