import type { Database } from "./engine/database.ts";
import type { Views } from "./engine/snapshot.ts";
import { messageOf } from "./errors.ts";
import { type Fingerprint, fingerprint } from "./fingerprint/fingerprint.ts";
import type { QueueProgress } from "./ingest/write/queue-progress.ts";
import type { Comparison, ReplicatedLog } from "./queue/entry.ts";
import { schemaVersion } from "./schema/migrate.ts";
import type { Clock } from "./time.ts";

/** A position in a log that a store follows. */
export interface Followed {
  /** The identity of the log. */
  readonly log: string;
  /** Entries up to this id are stored. */
  readonly position: number;
  /** The id of the last entry that is known to be in the log. */
  readonly head: number;
  /** Why the log cannot be read or written at present; undefined: it can be. */
  readonly problem: string | undefined;
  /** Seconds since the oldest entry was accepted that is read and not stored here; 0: all are stored. */
  readonly behindSeconds: number;
  /** Seconds for which that entry has waited here. */
  readonly waitingSeconds: number;
  /** Seconds since the log answered the last time; undefined: it has not since the start. */
  readonly silentSeconds: number | undefined;
  /** The last comparison with the other stores of the log; undefined: none since the start. */
  readonly comparison: Comparison | undefined;
}

export interface FollowedLogOptions {
  readonly database: Database;
  readonly progress: QueueProgress;
  readonly clock: Clock;
  readonly onNotice: (text: string) => void;
}

/** The log that a store follows with others: how far it is stored, and comparisons of the content with theirs. */
export class FollowedLog {
  readonly #log: ReplicatedLog;
  readonly #options: FollowedLogOptions;
  /** Settles when the content that is compared has been read. */
  #comparing: Promise<void> | undefined;
  /** Ends a comparison, which reads all tables. */
  readonly #closing = new AbortController();

  constructor(log: ReplicatedLog, options: FollowedLogOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** How far this store has stored the log. */
  get position(): Followed {
    const { progress, clock } = this.#options;
    const position = progress.committed;
    const { head, problem, oldest, waiting, silence, comparison } = this.#log.state;
    return {
      log: this.#log.identity,
      position,
      head: Math.max(position, head),
      problem,
      behindSeconds: oldest === undefined ? 0 : Math.max(0, Number(clock.now() - oldest) / 1e6),
      waitingSeconds: waiting / 1000,
      silentSeconds: silence === undefined ? undefined : silence / 1000,
      comparison,
    };
  }

  /** Whether other stores may have much newer answers. */
  get isBehind(): boolean {
    const { head, position, waitingSeconds } = this.position;
    // A store that lacks more commands of its log is catching up: others have newer answers.
    // So it is where an entry waits long, however few there are.
    return head - position > 1000 || waitingSeconds > 60;
  }

  /** Why the log has been out of reach for long. */
  get lastingProblem(): string | undefined {
    const { isLasting, problem } = this.#log.state;
    return isLasting ? problem : undefined;
  }

  /** Compares the present content with that of other stores; resolves when it may change again. */
  async beginComparing(): Promise<void> {
    const { database, onNotice } = this.#options;
    const { signal } = this.#closing;
    const begun = Promise.withResolvers<void>();
    this.#comparing = readFingerprint(database, { onBegun: begun.resolve, signal })
      .then(({ position, tables }) => this.#log.compare({ position, schema: schemaVersion, tables }))
      .catch((error: unknown) => {
        if (!signal.aborted) onNotice(`the content could not be compared with others': ${messageOf(error)}`);
      })
      .finally(begun.resolve);
    await begun.promise;
  }

  /** Ends a comparison. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#comparing;
  }
}

/**
 * The fingerprint of a database, of one state.
 * @param options.onBegun called once it is settled which state is read
 */
export async function readFingerprint(
  database: Database,
  { onBegun, signal }: { readonly onBegun?: () => void; readonly signal?: AbortSignal } = {},
): Promise<Fingerprint> {
  const work = async function* (views: Views) {
    yield await fingerprint(views[0], onBegun);
  };
  for await (const found of database.snapshot(work, signal === undefined ? {} : { signal })) return found;
  throw new Error("the tables were not read");
}
