import { existsSync, renameSync, statSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import { memoryBudget } from "../memory/budget.ts";
import { remedyOf } from "../remedy.ts";
import { isOutOfMemory } from "./error-classes.ts";
import { isLogFault } from "./faults.ts";
import { FileInUse } from "./file-in-use.ts";
import { type DatabaseOptions, openError, openInstance } from "./instance.ts";
import { memoryLimit, vacuum } from "./settings.ts";
import { logEndOf, type LogState, logStateOf } from "./log-end.ts";
import { BlockSaver, restoreTornBlocks, tornBlocks } from "./saved-blocks.ts";
import { allRows, run } from "./statements.ts";

/** Files of the engine's log: the endings after the database file's name. */
const LOG_ENDINGS = [".wal", ".wal.checkpoint", ".wal.recovery"] as const;

/** Called before and after checkpoints, in the writer's turn, so that nothing is committed meanwhile. */
export interface FileKeeper {
  /** Whether a checkpoint is due for another reason than the size of the log. */
  isDue(): boolean;
  /** Why nothing may be written now, e.g. because the file was replaced. */
  refusal(): string | undefined;
  /** All committed data are in the file. */
  checkpointed(): Promise<void>;
  /** The file was reopened after an error: it may have less than was committed. */
  reopened(): Promise<void>;
  /** The engine has closed the file. */
  close(): void;
}

/** How a file became unusable. */
export interface Loss {
  readonly reason: string;
  /** ms, as of `performance.now()` */
  readonly since: number;
  /** Failed attempts to reopen it, and the error of the last one. */
  readonly attempts: number;
  readonly latest: string;
}

/** The engine with its file: opened, written, and reopened after an error. */
export class EngineFile {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  keeper: FileKeeper | undefined;
  /** Why it must be reopened. */
  loss: Loss | undefined;
  /** Checkpoints since row groups were last joined: each has added one to every table that had got rows. */
  unjoined = 0;
  /** What was in the place of its log before it was opened. */
  readonly logBefore: LogState;
  readonly #options: DatabaseOptions;
  /** Nothing more may be stored before a checkpoint has succeeded. */
  #mustCheckpoint = false;
  /** Bytes that a checkpoint may use in addition to the engine's limit. */
  #reserve = 0;
  #isOpen = true;
  #saver: BlockSaver | undefined;

  private constructor(
    options: DatabaseOptions,
    logBefore: LogState,
    [instance, writer]: [DuckDBInstance, DuckDBConnection],
  ) {
    this.#options = options;
    this.logBefore = logBefore;
    this.instance = instance;
    this.writer = writer;
  }

  static async open(options: DatabaseOptions): Promise<EngineFile> {
    const logBefore = options.path === undefined ? "missing" : logStateOf(`${options.path}.wal`);
    return new EngineFile(options, logBefore, await openRecovering(options));
  }

  get #place(): string {
    return this.#options.path ?? "memory";
  }

  /** Whether committed data are in a file, besides the log. */
  get #hasFile(): boolean {
    return this.#options.path !== undefined && this.#options.readOnly !== true;
  }

  /** Writes the log into the file where this must happen before the next transaction. */
  async settle(): Promise<void> {
    if (this.#mustCheckpoint) await this.checkpoint();
  }

  /**
   * Writes the log into the file.
   * @param joinsGroups whether row groups of a large file are joined too, which takes long
   * @returns whether that was possible: a running query may prevent it
   * @throws CensusError "unavailable" after an error; then the file must be reopened
   */
  async checkpoint(joinsGroups = false): Promise<boolean> {
    if (!this.#hasFile) return true;
    this.checkAllowed();
    try {
      await this.#saveBlocks();
      const joins = joinsGroups || this.isVacuumed;
      await run(this.writer, vacuum(joins), []);
      await this.#writeOut();
      this.unjoined = joins ? 0 : this.unjoined + 1;
    } catch (error) {
      if (/Cannot CHECKPOINT/.test(messageOf(error))) return false;
      if (isOutOfMemory(error)) this.#reserve = nextReserve(this.#reserve);
      this.#mustCheckpoint = true;
      this.markLost(error);
      throw new CensusError(
        "unavailable",
        `${this.#place}: cannot be written: ${firstLine(error)}; ${remedyOf(error)}`,
        { cause: error },
      );
    }
    this.#mustCheckpoint = false;
    await this.keeper?.checkpointed();
    return true;
  }

  /** Whether the engine joins row groups at each checkpoint, because the file is small. */
  get isVacuumed(): boolean {
    // It joins those with room for each other's rows ("vacuum"), as after reports of a day were deleted, and rewrites up to three
    // groups of a table at once. In larger files commands would wait too long for that, and `joinRowGroups` does it in small steps
    // (`storage/lifecycle/join-groups.ts`).
    return (statSync(this.#place, { throwIfNoEntry: false })?.size ?? 0) <= 256 * 1024 * 1024;
  }

  /** Copies the blocks that the engine rewrites in place at a checkpoint. */
  async #saveBlocks(): Promise<void> {
    const rows = await allRows<{ block: number }>(
      this.writer,
      "SELECT DISTINCT block_id::DOUBLE AS block FROM pragma_metadata_info()",
      [],
    );
    this.#saver ??= new BlockSaver(this.#place);
    await this.#saver.save(rows.map(({ block }) => block));
  }

  /**
   * The engine needs the texts of 2048 rows in memory at once, which may be more than its limit. A checkpoint that
   * failed for that reason gets more memory the next time; otherwise nothing could be stored any more.
   */
  async #writeOut(): Promise<void> {
    if (this.#reserve === 0) return run(this.writer, "CHECKPOINT", []);
    await this.#setReserve(this.#reserve);
    try {
      await run(this.writer, "CHECKPOINT", []);
    } finally {
      // After an error the engine is reopened with its usual limit.
      await this.#setReserve(0).catch(() => undefined);
    }
  }

  async #setReserve(room: number): Promise<void> {
    await run(this.writer, memoryLimit(this.#place, room), []);
  }

  /** Whether it is time for {@link checkpoint}. */
  get isCheckpointDue(): boolean {
    if (!this.#hasFile) return false;
    if (this.keeper?.isDue() === true) return true;
    // The engine's own checkpoints are disabled.
    return (statSync(`${this.#place}.wal`, { throwIfNoEntry: false })?.size ?? 0) > 16 * 1024 * 1024;
  }

  /** Records that it must be reopened. */
  markLost(error: unknown): void {
    this.loss ??= { reason: firstLine(error), since: performance.now(), attempts: 0, latest: firstLine(error) };
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.writer.closeSync();
    this.instance.closeSync();
    this.#saver?.close();
    this.#saver = undefined;
  }

  /** @throws CensusError "unavailable" where the keeper forbids writing */
  checkAllowed(): void {
    const blockReason = this.keeper?.refusal();
    if (blockReason !== undefined) throw new CensusError("unavailable", blockReason);
  }

  /**
   * Closes the file after a checkpoint and opens it again: only then the engine forgets what it keeps about changed rows. Where
   * it cannot be opened, {@link reopen} tries again.
   */
  async renew(): Promise<void> {
    this.close();
    try {
      [this.instance, this.writer] = await openRecovering(this.#options);
      this.#isOpen = true;
    } catch (error) {
      this.markLost(error);
    }
  }

  /**
   * Reopens an unusable file, which reads the log.
   * @throws CensusError "unavailable" where that is not possible now
   */
  async reopen(): Promise<void> {
    const { loss } = this;
    if (loss === undefined) return;
    try {
      this.checkAllowed();
      [this.instance, this.writer] = await openRecovering(this.#options);
      this.#isOpen = true;
      this.loss = undefined;
      // Write out whatever the log contains before relying on it again.
      this.#mustCheckpoint = true;
      await this.keeper?.reopened();
    } catch (error) {
      this.close();
      this.loss = { ...loss, attempts: loss.attempts + 1, latest: firstLine(error) };
      const text = `${this.#place}: cannot be reopened after an error (${loss.reason}): ${messageOf(error)}; ${remedyOf(error)}`;
      throw new CensusError("unavailable", text, { cause: error });
    }
  }
}

/** {@link MemoryBudget.engineExtra}, then twice as much each time, up to half of the process's limit. */
function nextReserve(room: number): number {
  const { engineExtra, limit } = memoryBudget();
  return Math.min(Math.floor(limit.bytes / 2), Math.max(engineExtra, room * 2));
}

/**
 * Opens a file whose log may be damaged. Where the log is not needed, an unreadable one is renamed, and the file is
 * opened as of its last checkpoint.
 */
async function openRecovering(options: DatabaseOptions): Promise<[DuckDBInstance, DuckDBConnection]> {
  const { path, readOnly = false, onLog } = options;
  if (path === undefined || readOnly) return openInstance(options);
  await restoreBlocks(path, options);
  if (onLog === undefined) return openInstance(options);
  const log = `${path}.wal`;
  if (logStateOf(log) === "unrecognized") {
    // The engine would ignore it without a word, and write new transactions behind what it ignores.
    const aside = setLogAside(path);
    const opened = await openInstance(options);
    onLog.setAside(aside, "its first bytes are not those of a log");
    return opened;
  }
  const end = logEndOf(log);
  try {
    const opened = await openInstance(options);
    if (end !== undefined && end.complete < end.size) onLog.cutOff(log, end);
    return opened;
  } catch (error) {
    if (!isLogFault(error) || !existsSync(log)) throw error;
    const aside = setLogAside(path);
    const opened = await openInstance(options);
    onLog.setAside(aside, firstLine(error));
    return opened;
  }
}

/** Restores blocks that an unfinished checkpoint has torn, unless another process has the file open and writes it. */
async function restoreBlocks(path: string, options: DatabaseOptions): Promise<void> {
  if (tornBlocks(path).length === 0) return;
  try {
    const [instance, writer] = await openInstance(options);
    writer.closeSync();
    instance.closeSync();
  } catch (error) {
    // Any other error comes after the engine's attempt to lock the file.
    if (openError(path, error) instanceof FileInUse) throw error;
  }
  const blocks = restoreTornBlocks(path);
  if (blocks.length > 0) options.onRestored?.(blocks);
}

/** @returns the new name of the log */
function setLogAside(path: string): string {
  const ending = `.damaged-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  for (const log of LOG_ENDINGS) {
    if (existsSync(`${path}${log}`)) renameSync(`${path}${log}`, `${path}${log}${ending}`);
  }
  return `${path}.wal${ending}`;
}

function firstLine(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
