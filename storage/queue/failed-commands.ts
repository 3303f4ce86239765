import { CensusError, messageOf } from "../errors.ts";
import type { Clock } from "../time.ts";
import { isProcessed } from "../wire/commands.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { CommandLog, Fault, QueueEntry } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import type { Processing } from "./processing.ts";
import type { Stall } from "./stall.ts";

/** Seconds after the first, second, … failure of a command until the next attempt; after the last it is a dead letter. */
const RETRY_AFTER: readonly number[] = [10, 60, 600, 3600, 3600];

export interface DiscardOptions {
  readonly log: Pick<CommandLog, "read">;
  /** Default: discarded commands are not stored. */
  readonly deadLetters?: DeadLetters | undefined;
  readonly clock: Clock;
  readonly stall: Stall;
  readonly onEvent: CommandListener;
}

export interface FailedCommandsOptions extends DiscardOptions {
  readonly log: CommandLog;
  /** Puts a command in line again. */
  readonly retry: (entry: QueueEntry) => void;
}

/** Commands that could not be stored: postponed for another attempt, or discarded as dead letters. */
export class FailedCommands {
  readonly #options: FailedCommandsOptions;
  /** The timers of postponed commands, by id. */
  readonly #postponed = new Map<number, NodeJS.Timeout>();

  constructor(options: FailedCommandsOptions) {
    this.#options = options;
  }

  /** Commands that wait for another attempt. */
  get count(): number {
    return this.#postponed.size;
  }

  isPostponed(id: number): boolean {
    return this.#postponed.has(id);
  }

  /**
   * Discards a command that can never be stored or has failed too often, and postpones any other.
   * @param isPrepared whether the command was valid and writing it failed
   */
  async handle(entry: QueueEntry, error: Error, isPrepared: boolean): Promise<Processing> {
    const { log, onEvent, clock, stall } = this.#options;
    const isHopeless = error instanceof CensusError && error.code === "bad-input";
    const kind = isHopeless ? kindOfFailure(entry, isPrepared) : "failed";
    const again = { ...entry, faults: faultsOf(entry, error, clock) };
    const delay = RETRY_AFTER[entry.faults.length];
    if (isHopeless || delay === undefined) {
      await discard(this.#options, entry, error);
      await stall.retry(() => log.drop(entry.id));
      return { kind, error };
    }
    const payload = await stall.retry(() => log.read(entry));
    await stall.retry(() => log.postpone(again, payload));
    this.#retryAfter(delay, again);
    onEvent({ kind: "postponed", entry: again, error, at: Date.now() + delay * 1000 });
    return { kind, error };
  }

  /** Discards the commands that wait for another attempt. */
  async giveUp(): Promise<void> {
    for (const [id, timer] of this.#postponed) {
      clearTimeout(timer);
      this.#postponed.delete(id);
      await this.#options.log.settle(id);
    }
  }

  /** Stops the timers; the commands stay in the log. */
  close(): void {
    for (const timer of this.#postponed.values()) clearTimeout(timer);
  }

  #retryAfter(seconds: number, entry: QueueEntry): void {
    const timer = setTimeout(() => {
      this.#postponed.delete(entry.id);
      this.#options.retry(entry);
    }, seconds * 1000);
    timer.unref();
    this.#postponed.set(entry.id, timer);
  }
}

/** Makes a command a dead letter. */
export async function discard(
  { log, deadLetters, clock, stall, onEvent }: DiscardOptions,
  entry: QueueEntry,
  error: Error,
): Promise<void> {
  const payload = await stall.retry(() => log.read(entry));
  const place = await stall.retry(async () => deadLetters?.discard(entry, payload, faultsOf(entry, error, clock)));
  onEvent({ kind: "discarded", entry, error, place });
}

/**
 * How a client is answered whose command can never be stored.
 * @param isPrepared whether the command was valid and writing it failed
 */
export function kindOfFailure({ command, version }: QueueEntry, isPrepared: boolean): "refused" | "failed" {
  // PuppetDB checks the version before it reads a catalog, but only when it stores any other command.
  const failsOnStoring = command !== "replace catalog" && !isProcessed(command, version);
  return isPrepared || failsOnStoring ? "failed" : "refused";
}

function faultsOf({ faults }: QueueEntry, error: Error, clock: Clock): readonly Fault[] {
  return [...faults, { at: clock.now(), message: diagnosisOf(error) }];
}

/** The message of an expected error; for any other also where it was thrown. */
function diagnosisOf(error: Error): string {
  return error instanceof CensusError ? messageOf(error) : (error.stack ?? messageOf(error));
}
