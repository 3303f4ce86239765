import { closeSync, openSync, statSync } from "node:fs";
import type { Database } from "../engine/database.ts";
import type { FileKeeper } from "../engine/engine-file.ts";
import { messageOf } from "../errors.ts";
import { remedyOf, RESTORE } from "../remedy.ts";
import type { QueueProgress } from "../ingest/write/queue-progress.ts";
import type { Consumer } from "../queue/consumer.ts";
import type { CommandLog } from "../queue/entry.ts";
import { formatTimestamp, systemClock } from "../time.ts";
import { type FileHeader, headerOf, inodeOf } from "./file-header.ts";
import { type Note, writeNote } from "./note.ts";

/** Bytes that the queue may keep for commands that are only in the engine's log; more of them cause a checkpoint. */
const LARGEST_KEPT = 256 * 1024 * 1024;

export interface KeeperOptions {
  readonly directory: string;
  /** The database file. */
  readonly path: string;
  readonly database: Database;
  readonly progress: QueueProgress;
  readonly consumer: Consumer;
  /** Undefined: another machine keeps the commands, whatever is in the file. */
  readonly log: CommandLog | undefined;
  /** Identities of the store and of its queue. */
  readonly store: string;
  readonly queue: string;
  readonly onNotice: (text: string) => void;
}

/**
 * Keeps the queue, the database file and its note consistent: commands leave the queue when their effect is in the file, and
 * after the note says so.
 */
export class Keeper implements FileKeeper {
  readonly #options: KeeperOptions;
  /** The file, open until the engine has closed it: closing it earlier would release the engine's lock. */
  readonly #file: number;
  #isClosed = false;
  /** The file as it was after the last checkpoint, or when it was opened. */
  #last: FileHeader;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#file = openSync(options.path, "r");
    this.#last = headerOf(this.#file);
  }

  isDue(): boolean {
    const { log, progress } = this.#options;
    return log !== undefined && log.removableBytes(progress.committed) > LARGEST_KEPT;
  }

  /** Why nothing may be written, and what to do: the file that the engine has open is no longer the one of that name. */
  refusal(): string | undefined {
    if (this.#isClosed) return undefined;
    const { path } = this.#options;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return `${path}: was removed while the store was open; put it back`;
    if (inodeOf(found) !== this.#last.inode)
      return `${path}: was replaced by another file while the store was open; put the file back, or restart the service`;
    const header = headerOf(this.#file);
    const isCutOff = header.iteration === this.#last.iteration && header.size < this.#last.size;
    if (isCutOff) return `${path}: was cut off while the store was open. ${RESTORE}`;
    return undefined;
  }

  async checkpointed(): Promise<void> {
    const { directory, progress, log, onNotice } = this.#options;
    const through = progress.committed;
    this.#last = headerOf(this.#file);
    try {
      await writeNote(directory, await this.#note(through));
    } catch (error) {
      onNotice(
        `${directory}: store.json cannot be written, so the queue keeps its commands: ${messageOf(error)}; ${remedyOf(error)}`,
      );
      return;
    }
    // Commands that cannot be removed now are removed after the next checkpoint.
    await log?.checkpointed(through).catch(() => undefined);
  }

  async reopened(): Promise<void> {
    await this.#options.consumer.reopened();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSync(this.#file);
  }

  async #note(checkpointed: number): Promise<Note> {
    const { database, store, queue } = this.#options;
    const { iteration, size } = this.#last;
    const [counts] = await database.rows<{ nodes: number; reports: number }>(
      "SELECT (SELECT count(*)::INTEGER FROM nodes) AS nodes, (SELECT count(*)::INTEGER FROM reports WHERE id > 0) AS reports",
    );
    const written = formatTimestamp(systemClock.now());
    return { format: 1, store, queue, checkpointed, iteration, bytes: size, nodes: 0, reports: 0, ...counts, written };
  }
}
