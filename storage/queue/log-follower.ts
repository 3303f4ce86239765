import type { Maintenance, Turn } from "../lifecycle/maintenance.ts";
import type { Ingester } from "../ingest/ingester.ts";
import { Rewound } from "../ingest/write/transactions.ts";
import type { Clock } from "../time.ts";
import { BackOff } from "./back-off.ts";
import type { LoggedMaintenance, QueueEntry, SharedLog } from "./entry.ts";
import type { CommandListener } from "./events.ts";
import { MaintenanceRequests } from "./maintenance-requests.ts";
import type { Stall } from "./stall.ts";

/** Commands that wait here, at most; the others wait in the log. */
const MAX_WAITING = 2000;

/** The line of commands in which those of the log are put. */
export interface FollowedLine {
  /** Commands that wait or are being stored. */
  length(): number;
  isClosing(): boolean;
  join(entry: QueueEntry): void;
  /** Whether a caller waits for the command with this mark. */
  isAwaited(mark: string): boolean;
  /** Has what waits stored now, rather than with commands that may come. */
  hurry(): void;
  /** Resolves when all commands are stored, or the line is closing. */
  emptied(): Promise<void>;
}

export interface LogFollowerOptions {
  readonly log: SharedLog;
  readonly ingester: Ingester;
  readonly clock: Clock;
  readonly stall: Stall;
  /** Does what the log requests, and notes its id in the same transaction. */
  readonly maintain: ((entry: LoggedMaintenance) => Promise<void>) | undefined;
  readonly onEvent: CommandListener;
}

/** Has stored what a log contains that several stores follow: commands and maintenance, in its order. */
export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #line: FollowedLine;
  readonly #requests: MaintenanceRequests;
  /** Called when there may be room in the line again. */
  #onRoom: (() => void) | undefined;

  constructor(options: LogFollowerOptions, line: FollowedLine) {
    this.#options = options;
    this.#line = line;
    this.#requests = new MaintenanceRequests(options.clock);
  }

  /** Begins, or begins again, after the last entry that the engine has. */
  follow(): void {
    const { log, ingester } = this.#options;
    log.follow(ingester.progress.committed, {
      commands: (entries) => this.#receive(entries),
      maintenance: (entry) => this.#maintain(entry),
    });
  }

  /** As of {@link MaintenanceRequests.add}. */
  async requestMaintenance(change: Maintenance, turn?: Turn): Promise<void> {
    await this.#requests.add(this.#options.log, change, turn);
  }

  /** Commands have left the line. */
  madeRoom(): void {
    this.#onRoom?.();
  }

  /** The line is closing: nothing more is received. */
  close(): void {
    this.madeRoom();
    this.#requests.close();
  }

  async #receive(entries: readonly QueueEntry[]): Promise<void> {
    for (const entry of entries) {
      this.#options.onEvent({ kind: "read", entry });
      this.#line.join(entry);
    }
    if (entries.some(({ mark = "" }) => this.#line.isAwaited(mark))) this.#line.hurry();
    while (this.#line.length() >= MAX_WAITING && !this.#line.isClosing()) {
      await new Promise<void>((resolve) => (this.#onRoom = resolve));
    }
  }

  async #maintain(entry: LoggedMaintenance): Promise<void> {
    const { log, maintain, stall } = this.#options;
    this.#line.hurry();
    await this.#line.emptied();
    if (this.#line.isClosing() || maintain === undefined) return;
    try {
      await stall.insist(() => maintain(entry));
      await log.release(entry.id);
      this.#requests.done(entry.mark);
    } catch (error) {
      if (error !== BackOff.cancelled && !(error instanceof Rewound)) throw error;
    }
  }
}
