import { type ArchiveCommandName, readArchive, readMetadata } from "#storage/archive/contents.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import { type Clock, fixedClock, parseAnyTimestamp, timestampOfMillis } from "#storage/time.ts";
import { startProgress } from "./progress.ts";

export interface ImportOptions {
  /**
   * Told of everything that is left out and why; when given, the rest is taken in. Without it one bad member leaves the
   * store as it was.
   */
  readonly onSkipped?: (what: string, reason: string) => void;
  /** Told of every member that is neither metadata nor a command. */
  readonly onIgnored?: (member: string) => void;
}

/** How many of each command were taken in. */
export type Imported = ReadonlyMap<ArchiveCommandName, number>;

/**
 * Takes an archive into a store, showing progress on a terminal.
 * @throws CensusError "bad-file" for an archive or a member of it that cannot be read; the store is as it was
 */
export async function importArchive(store: Store, path: string, options: ImportOptions = {}): Promise<Imported> {
  const { onSkipped, onIgnored } = options;
  const counts = new Map<ArchiveCommandName, number>();
  const members = new WeakMap<Submission, string>();
  const progress = await startProgress(`Reading ${path}`);
  const count = (command: ArchiveCommandName, by: 1 | -1): void => {
    counts.set(command, (counts.get(command) ?? 0) + by);
  };

  async function* submissions(): AsyncGenerator<Submission> {
    const received = store.clock.now();
    let begun = false;
    try {
      for await (const found of readArchive(path, { onProgress: progress.update, onIgnored })) {
        const { command, version, certname, payload, member } = found;
        const submission: Submission = { command, version, certname, payload, received };
        members.set(submission, member);
        begun = true;
        count(command, 1);
        yield submission;
      }
    } catch (error) {
      if (onSkipped === undefined || !begun || !(error instanceof CensusError)) throw error;
      onSkipped("the rest of the archive", error.message);
    }
  }

  try {
    await store.importAll(submissions(), (submission, error) => {
      if (!(error instanceof CensusError)) throw error;
      const what = `member ${JSON.stringify(members.get(submission) ?? submission.certname)}`;
      if (onSkipped === undefined) {
        throw new CensusError("bad-file", `${path}: ${what}: ${error.message}`, { cause: error });
      }
      count(submission.command as ArchiveCommandName, -1);
      onSkipped(what, messageOf(error));
    });
  } finally {
    progress.stop();
  }
  return counts;
}

/**
 * The clock that stands at the time an archive was made; undefined when it does not say.
 * @throws CensusError "bad-file" when it is no archive
 */
export async function archiveClock(path: string): Promise<Clock | undefined> {
  const { timestamp } = await readMetadata(path);
  return timestamp === undefined
    ? undefined
    : fixedClock(parseAnyTimestamp(timestamp) ?? timestampOfMillis(Date.parse(timestamp)));
}

/** How many commands there are altogether. */
export function totalOf(imported: Imported): number {
  return [...imported.values()].reduce((sum, count) => sum + count, 0);
}
