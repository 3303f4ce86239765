import { setTimeout as pause } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import type { Maintenance } from "#storage/lifecycle/maintenance.ts";
import type {
  ContentAt,
  Follower,
  LoggedMaintenance,
  NewCommand,
  NewEntry,
  OpenReplicatedLog,
  QueueEntry,
  ReplicatedLog,
} from "#storage/queue/entry.ts";
import type { Timestamp } from "#storage/time.ts";

type Logged =
  | { readonly entry: QueueEntry; readonly payload: Uint8Array }
  | { readonly maintenance: LoggedMaintenance };

/** How a store reads the log: the sizes of the parts, and the milliseconds before each. */
export interface Pace {
  readonly size: () => number;
  readonly ms: () => number;
}

/** A log in memory that several stores of one process follow. */
export class MemoryReplicatedLog {
  readonly identity = randomUUID();
  readonly entries: Logged[] = [];
  /** What stores had when they were compared. */
  readonly compared: ContentAt[] = [];
  readonly #turns = new Map<string, number>();

  get head(): number {
    return this.entries.length;
  }

  append(entry: NewEntry, payload: Uint8Array): QueueEntry {
    const added = { mark: randomUUID(), ...entry, id: this.head + 1, size: payload.length };
    this.entries.push({ entry: added, payload });
    return added;
  }

  maintain(change: Maintenance, asOf: Timestamp, mark: string = randomUUID()): void {
    this.entries.push({ maintenance: { id: this.head + 1, mark, asOf, change } });
  }

  /** @returns false if the turn has been taken */
  take(job: string, turn: number): boolean {
    if ((this.#turns.get(job) ?? -1) >= turn) return false;
    this.#turns.set(job, turn);
    return true;
  }

  /** Opens it for one store. */
  opener(pace: Pace): OpenReplicatedLog {
    return async () => new Opened(this, pace);
  }
}

class Opened implements ReplicatedLog {
  readonly identity: string;
  readonly #log: MemoryReplicatedLog;
  readonly #pace: Pace;
  #following = 0;

  constructor(log: MemoryReplicatedLog, pace: Pace) {
    this.identity = log.identity;
    this.#log = log;
    this.#pace = pace;
  }

  reportProblem(): void {
    // No other program looks at this log.
  }

  get state(): ReplicatedLog["state"] {
    const nothing = { problem: undefined, oldest: undefined, silence: 0, comparison: undefined };
    return { head: this.#log.head, isLasting: false, waiting: 0, ...nothing };
  }

  compare(found: ContentAt): void {
    this.#log.compared.push(found);
  }

  async append(entry: NewEntry, payload: Uint8Array): Promise<QueueEntry> {
    return this.#log.append(entry, payload);
  }

  async appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]> {
    const added: QueueEntry[] = [];
    for await (const { entry, payload } of commands) added.push(this.#log.append(entry, payload));
    return added;
  }

  async read({ id }: QueueEntry): Promise<Uint8Array> {
    const found = this.#log.entries[id - 1];
    if (found === undefined || !("payload" in found)) throw new Error(`entry ${id} is no command`);
    return found.payload;
  }

  async appendMaintenance(
    { change, asOf, mark }: Omit<LoggedMaintenance, "id">,
    turn?: { readonly job: string; readonly number: number },
  ): Promise<boolean> {
    if (turn !== undefined && !this.#log.take(turn.job, turn.number)) return false;
    this.#log.maintain(change, asOf, mark);
    return true;
  }

  markOf(id: number): string | undefined {
    const found = this.#log.entries[id - 1];
    return found === undefined ? undefined : "entry" in found ? found.entry.mark : found.maintenance.mark;
  }

  follow(after: number, follower: Follower): void {
    void this.#follow(after, follower, ++this.#following);
  }

  async release(): Promise<void> {
    // All entries are kept.
  }

  async close(): Promise<void> {
    this.#following++;
  }

  async #follow(after: number, follower: Follower, following: number): Promise<void> {
    for (let next = after; following === this.#following;) {
      await pause(this.#pace.ms());
      const part = this.#log.entries.slice(next, next + this.#pace.size());
      for (const logged of part) {
        if (following !== this.#following) return;
        if ("entry" in logged) await follower.commands([logged.entry]);
        else await follower.maintenance(logged.maintenance);
      }
      next += part.length;
    }
  }
}
