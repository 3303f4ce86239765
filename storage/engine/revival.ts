import { CensusError, messageOf } from "../errors.ts";
import { RESTORE } from "../remedy.ts";
import type { EngineFile } from "./engine-file.ts";
import { isDamage, isFileFault, isInvalidated } from "./faults.ts";
import type { ReaderPool } from "./reader-pool.ts";
import { allRows } from "./statements.ts";
import type { Turns } from "./turns.ts";

/** What it works on. */
interface Parts {
  /** The name of the file in messages: its path, or `memory`. */
  readonly place: string;
  readonly file: EngineFile;
  readonly readers: ReaderPool;
  readonly turns: Turns;
  readonly isReadOnly: boolean;
}

/**
 * Errors of the file and their consequences: the errors for clients, and reopening the file. After such an error the
 * state on disk is unknown, and after some the engine rejects everything; reopening the file reads its log.
 */
export class Revival {
  /** Called with the engine's message when bytes of the file are damaged. */
  onDamage: ((reason: string) => void) | undefined;
  readonly #parts: Parts;
  #isOver = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The file is not reopened any more. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * The error to report for the error of a reader: a different one if the file must be reopened or is damaged.
   * @param isGone whether any error means that the file must be reopened
   */
  translate(
    error: unknown,
    isGone = this.#parts.file.loss !== undefined && /Interrupt/.test(messageOf(error)),
  ): unknown {
    const { place } = this.#parts;
    if (place !== "memory" && isDamage(error)) {
      const reason = messageOf(error).split("\n")[0] ?? "";
      this.onDamage?.(reason);
      return new CensusError("unavailable", `${place}: is damaged: ${reason}. ${RESTORE}`, { cause: error });
    }
    if (isInvalidated(error)) this.#reviveSoon(error);
    else if (!isGone) return error;
    return this.lost(error);
  }

  /** The error for requests while the file must be reopened. */
  lost(cause?: unknown): CensusError {
    const { place, file } = this.#parts;
    const reason = file.loss?.reason ?? messageOf(cause).split("\n")[0] ?? "";
    return new CensusError(
      "unavailable",
      `${place}: is being reopened after an error: ${reason}; try again in a few seconds`,
      { cause },
    );
  }

  /** Reopens the file, in the writer's turn, if this error of the writer makes it necessary. */
  async afterError(error: unknown): Promise<void> {
    const { place, file } = this.#parts;
    if (place === "memory" || !isFileFault(error) || (isDamage(error) && !isInvalidated(error))) return;
    file.markLost(error);
    await this.afterLoss();
  }

  /** Reopens the file, in the writer's turn, if it is unusable. If that fails, the next transaction tries again. */
  async afterLoss(): Promise<void> {
    const { file, readers } = this.#parts;
    if (file.loss === undefined) return;
    readers.end();
    readers.interrupt();
    // Running queries may end first; one that does not cannot harm the file, because the engine rejects everything.
    for (let left = 2000; left > 0 && readers.busy > 0; left -= 10) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    file.close();
    await file.reopen().catch(() => undefined);
  }

  #reviveSoon(met: unknown): void {
    void this.revive(met).catch(() => undefined);
  }

  /**
   * Reopens the file if necessary.
   * @param met the error of a reader
   * @throws CensusError "unavailable" where that is not possible now
   */
  async revive(met?: unknown): Promise<void> {
    const { place, file, readers, turns, isReadOnly } = this.#parts;
    if (place === "memory" || isReadOnly || this.#isOver) return;
    await turns.run(async () => {
      // Another turn may have done so.
      const [works] = await allRows(file.writer, "SELECT 1", []).catch(() => []);
      if (met !== undefined && works === undefined) await this.afterError(met);
      await file.reopen();
    }, readers.listener);
  }
}
