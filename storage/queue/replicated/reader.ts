import { setTimeout as pause } from "node:timers/promises";
import { CensusError } from "../../errors.ts";
import type { Timestamp } from "../../time.ts";
import type { Follower, LoggedMaintenance, LogPosition, QueueEntry } from "../entry.ts";
import type { Cluster } from "./cluster.ts";
import type { Outage } from "./outage.ts";
import { unpackedMaintenance } from "./packed-maintenance.ts";
import { unpackedRecord } from "./packed-record.ts";
import { type LoggedRow, Source } from "./source.ts";

/** Milliseconds between looks at the log where no notification comes. */
const LOOK = 250;

/** An entry that was delivered. */
export interface Unstored {
  readonly mark: string;
  /** When it was accepted. */
  readonly received: Timestamp;
  /** When it was delivered, ms. */
  readonly since: number;
}

/** Reads the log in its order for one follower. */
export class Reader {
  /** The id of the last entry that was seen in the log. */
  head: number;
  /** When the log has answered the last time, ms. */
  answered: number | undefined;
  /** Why nothing more is read until the program is started again. */
  halt: string | undefined;
  readonly #cluster: Cluster;
  readonly #outage: Outage;
  readonly #onHalt: (reason: string) => void;
  readonly #payloads = new Map<number, Uint8Array>();
  /** Entries that were delivered and are not stored, oldest first. */
  readonly #unstored = new Map<number, Unstored>();
  #unstoredBytes = 0;
  /** Changes when another reading replaces the present one. */
  #reading = 0;
  #running: Promise<void> = Promise.resolve();
  #source: Source | undefined;
  #wake: (() => void) | undefined;

  constructor(
    cluster: Cluster,
    {
      head,
      outage,
      onHalt,
    }: { readonly head: number; readonly outage: Outage; readonly onHalt: (reason: string) => void },
  ) {
    this.#cluster = cluster;
    this.head = head;
    this.#outage = outage;
    this.#onHalt = onHalt;
  }

  /** Reads what comes after a position. */
  follow(position: LogPosition, follower: Follower): void {
    const reading = ++this.#reading;
    this.#payloads.clear();
    this.#unstored.clear();
    this.#unstoredBytes = 0;
    this.#interrupt();
    this.#running = this.#run(position, follower, reading);
  }

  /** The payload of a command that was read and not released. */
  payload(id: number): Uint8Array {
    const payload = this.#payloads.get(id);
    if (payload === undefined) throw new CensusError("unavailable", `entry ${id} of the command log is read again`);
    return payload;
  }

  markOf(id: number): string | undefined {
    return this.#unstored.get(id)?.mark;
  }

  /** The log has answered. @param head the id of the last entry of the log */
  answeredBy(head: number): void {
    this.answered = performance.now();
    this.head = Math.max(this.head, head);
  }

  /** The oldest entry that was delivered and is not stored. */
  get oldest(): Unstored | undefined {
    return this.#unstored.values().next().value;
  }

  release(through: number): void {
    for (const [id] of this.#unstored) {
      if (id > through) break;
      this.#unstored.delete(id);
      this.#unstoredBytes -= this.#payloads.get(id)?.length ?? 0;
      this.#payloads.delete(id);
    }
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.#reading++;
    this.#interrupt();
    await this.#running;
  }

  #interrupt(): void {
    this.#source?.destroy();
    this.#wake?.();
  }

  async #run(position: LogPosition, follower: Follower, reading: number): Promise<void> {
    const isCurrent = (): boolean => reading === this.#reading;
    let read = position;
    for (let failures = 0; isCurrent();) {
      try {
        const source = await Source.open(this.#cluster, () => this.#wake?.());
        this.#source = source;
        await source.check(read);
        failures = 0;
        this.#outage.ended();
        while (isCurrent()) {
          const { rows, head } = await source.page(read.id);
          this.answeredBy(head);
          for (const row of rows) {
            const part = await entryOf(row);
            if (!isCurrent()) return;
            await this.#deliver(part, follower);
            read = { ...read, id: part.id, mark: part.mark };
          }
          if (rows.length === 0) await this.#sleep(LOOK);
          while (this.#unstoredBytes > 64 * 1024 * 1024 && isCurrent()) await this.#sleep(LOOK);
        }
      } catch (error) {
        if (!isCurrent()) return;
        if (error instanceof CensusError && error.code === "bad-file") {
          this.halt = error.message;
          this.#onHalt(error.message);
          return;
        }
        this.#outage.began(error);
        await pause(Math.min(1000, LOOK * 2 ** failures++));
      } finally {
        this.#source?.destroy();
      }
    }
  }

  async #deliver(entry: Entry, follower: Follower): Promise<void> {
    const received = "maintenance" in entry ? entry.maintenance.asOf : entry.command.received;
    this.#unstored.set(entry.id, { mark: entry.mark, received, since: performance.now() });
    if ("maintenance" in entry) return follower.maintenance(entry.maintenance);
    this.#payloads.set(entry.id, entry.payload);
    this.#unstoredBytes += entry.payload.length;
    await follower.commands([entry.command]);
  }

  /** Resolves after a time, or earlier when something may have changed. */
  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

type Entry = { readonly id: number; readonly mark: string } & (
  | { readonly command: QueueEntry; readonly payload: Uint8Array }
  | { readonly maintenance: LoggedMaintenance }
);

/** @throws CensusError "bad-file" for an entry that is damaged, or of a kind that this program does not know */
async function entryOf({ id, mark, kind, record }: LoggedRow): Promise<Entry> {
  if (kind === "command") {
    const found = await unpackedRecord(record);
    if (found !== undefined) return { id, mark, payload: found.payload, command: { ...found.entry, id, mark } };
  } else if (kind === "maintenance") {
    const found = unpackedMaintenance(record);
    if (found !== undefined) return { id, mark, maintenance: { id, mark, ...found } };
  }
  throw new CensusError(
    "bad-file",
    `entry ${id} of the command log is damaged, or of a kind (${JSON.stringify(kind)}) that this program does not know; nothing after it is stored`,
  );
}
