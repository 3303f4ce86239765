import { existsSync, renameSync, statSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { CensusError, messageOf } from "../errors.ts";
import { memoryBudget } from "../memory/budget.ts";
import { remedyOf } from "../remedy.ts";
import { isOutOfMemory } from "./error-classes.ts";
import { isLogFault } from "./faults.ts";
import { type DatabaseOptions, engineMemory, openInstance } from "./instance.ts";
import { logEndOf } from "./log-end.ts";
import { run } from "./statements.ts";

/** A log of more bytes is written into the file: what the engine would do by itself, if it were left to it. */
const LARGEST_LOG = 16 * 1024 * 1024;

/** Files of the engine's log, by what their names have besides the database file's. */
const LOG_ENDINGS = [".wal", ".wal.checkpoint", ".wal.recovery"] as const;

/** What is done around checkpoints. Called in the writer's turn, so that nothing is committed meanwhile. */
export interface FileKeeper {
  /** Whether there is another reason than the size of the log to write it into the file. */
  isDue(): boolean;
  /** Why nothing may be written at present, e.g. since the file is another one. */
  refusal(): string | undefined;
  /** Everything that has been committed is in the file. */
  checkpointed(): Promise<void>;
  /** The file was reopened after an error: it may hold less than what had been committed. */
  reopened(): Promise<void>;
  /** The engine has closed the file for good. */
  close(): void;
}

/** How a file stopped working. */
export interface Loss {
  readonly reason: string;
  /** ms, as `performance.now()` has it */
  readonly since: number;
  /** Attempts to reopen it that failed, and what the last one met. */
  readonly attempts: number;
  readonly latest: string;
}

/** The engine with its file: opened, written into, and reopened after an error. */
export class EngineFile {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  keeper: FileKeeper | undefined;
  /** Why it has to be reopened. */
  loss: Loss | undefined;
  readonly #options: DatabaseOptions;
  /** Nothing more is stored before a checkpoint has succeeded. */
  #isCheckpointOwed = false;
  /** Bytes that a checkpoint may use besides what the engine may have. */
  #room = 0;
  #isOpen = true;

  private constructor(options: DatabaseOptions, instance: DuckDBInstance, writer: DuckDBConnection) {
    this.#options = options;
    this.instance = instance;
    this.writer = writer;
  }

  static async open(options: DatabaseOptions): Promise<EngineFile> {
    return new EngineFile(options, ...(await openRecovering(options)));
  }

  get #place(): string {
    return this.#options.path ?? "memory";
  }

  /** Whether what is committed is in a file besides the log. */
  get #hasFile(): boolean {
    return this.#options.path !== undefined && this.#options.readOnly !== true;
  }

  /** Writes the log into the file where that has to come before the next transaction. */
  async settle(): Promise<void> {
    if (this.#isCheckpointOwed) await this.checkpoint();
  }

  /**
   * Writes the log into the file.
   * @returns whether that was possible: an answer that is being read may stand in the way
   * @throws CensusError "unavailable" after a fault; then the file has to be reopened
   */
  async checkpoint(): Promise<boolean> {
    if (!this.#hasFile) return true;
    this.refuse();
    try {
      await this.#writeOut();
    } catch (error) {
      if (/Cannot CHECKPOINT/.test(messageOf(error))) return false;
      if (isOutOfMemory(error)) this.#room = nextRoom(this.#room);
      this.#isCheckpointOwed = true;
      this.lose(error);
      throw new CensusError(
        "unavailable",
        `${this.#place}: cannot be written: ${firstLine(error)}; ${remedyOf(error)}`,
        { cause: error },
      );
    }
    this.#isCheckpointOwed = false;
    await this.keeper?.checkpointed();
    return true;
  }

  /**
   * The engine holds the texts of 2048 rows at a time, which may be more than it may have for anything else: a checkpoint that
   * failed for that is given more the next time, or nothing could be stored any more.
   */
  async #writeOut(): Promise<void> {
    if (this.#room === 0) return run(this.writer, "CHECKPOINT", []);
    await this.#allow(this.#room);
    try {
      await run(this.writer, "CHECKPOINT", []);
    } finally {
      // After a fault the engine is reopened, with what it usually may have.
      await this.#allow(0).catch(() => undefined);
    }
  }

  async #allow(room: number): Promise<void> {
    await run(this.writer, `SET GLOBAL memory_limit = '${engineMemory(true, room)}'`, []);
  }

  /** Whether it is time for {@link checkpoint}. */
  get isCheckpointDue(): boolean {
    if (!this.#hasFile) return false;
    if (this.keeper?.isDue() === true) return true;
    return (statSync(`${this.#place}.wal`, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG;
  }

  /** Notes that it has to be reopened. */
  lose(error: unknown): void {
    this.loss ??= { reason: firstLine(error), since: performance.now(), attempts: 0, latest: firstLine(error) };
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.writer.closeSync();
    this.instance.closeSync();
  }

  /** @throws CensusError "unavailable" where the keeper says so */
  refuse(): void {
    const refusal = this.keeper?.refusal();
    if (refusal !== undefined) throw new CensusError("unavailable", refusal);
  }

  /**
   * Opens a file again that is lost, which reads the log.
   * @throws CensusError "unavailable" where that cannot be done at present
   */
  async reopen(): Promise<void> {
    const { loss } = this;
    if (loss === undefined) return;
    try {
      this.refuse();
      [this.instance, this.writer] = await openRecovering(this.#options);
      this.#isOpen = true;
      this.loss = undefined;
      // Whatever the log has come to, it is written out before it is relied on again.
      this.#isCheckpointOwed = true;
      await this.keeper?.reopened();
    } catch (error) {
      this.close();
      this.loss = { ...loss, attempts: loss.attempts + 1, latest: firstLine(error) };
      const text = `${this.#place}: cannot be reopened after an error (${loss.reason}): ${messageOf(error)}; ${remedyOf(error)}`;
      throw new CensusError("unavailable", text, { cause: error });
    }
  }
}

/** More than was not enough: an eighth of what the process may have, then twice as much, up to half of it. */
function nextRoom(room: number): number {
  const { bytes } = memoryBudget().limit;
  return Math.floor(Math.min(bytes / 2, Math.max(bytes / 8, room * 2)));
}

/**
 * Opens a file whose log may be damaged. A log that cannot be read is kept under another name where it can be done without:
 * the file is then as of its last checkpoint.
 */
async function openRecovering(options: DatabaseOptions): Promise<[DuckDBInstance, DuckDBConnection]> {
  const { path, readOnly = false, onLog } = options;
  if (path === undefined || readOnly || onLog === undefined) return openInstance(options);
  const log = `${path}.wal`;
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

/** @returns the name that the log has now */
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
