import type { NewCommand } from "./entry.ts";
import type { CommandLog, NewEntry, QueueEntry, Retained } from "./entry.ts";

/** The queue of a store in memory. */
export class MemoryLog implements CommandLog {
  readonly #payloads = new Map<number, Uint8Array>();
  readonly #postponed = new Map<number, Uint8Array>();
  #next = 1;

  keepsPayload(): boolean {
    return true;
  }

  async append(entry: NewEntry, payload: Uint8Array): Promise<QueueEntry> {
    const id = this.#next++;
    this.#payloads.set(id, payload);
    return { ...entry, id, size: payload.length };
  }

  async appendAll(commands: AsyncIterable<NewCommand>): Promise<readonly QueueEntry[]> {
    const all: NewCommand[] = [];
    for await (const command of commands) all.push(command);
    return Promise.all(all.map(({ entry, payload }) => this.append(entry, payload)));
  }

  async read({ id }: QueueEntry): Promise<Uint8Array> {
    const payload = this.#postponed.get(id) ?? this.#payloads.get(id);
    if (payload === undefined) throw new Error(`command ${id} is not in the queue`);
    return payload;
  }

  async postpone({ id }: QueueEntry, payload: Uint8Array): Promise<void> {
    this.#postponed.set(id, payload);
  }

  async settle(id: number): Promise<void> {
    this.#postponed.delete(id);
  }

  async drop(id: number): Promise<void> {
    await this.settle(id);
  }

  async checkpointed(): Promise<void> {
    // Nothing outlives the process.
  }

  async retained(after: number): Promise<Retained> {
    return { entries: [], through: after };
  }

  removableBytes(): number {
    return 0;
  }

  async release(through: number): Promise<void> {
    for (const id of this.#payloads.keys()) {
      if (id > through) break;
      this.#payloads.delete(id);
    }
  }

  async freeReserved(): Promise<void> {
    // Nothing is reserved.
  }

  async close(): Promise<void> {
    this.#payloads.clear();
    this.#postponed.clear();
  }
}
