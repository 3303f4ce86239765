import type { NewEntry, QueueEntry } from "#storage/queue/entry.ts";
import type { Timestamp } from "#storage/time.ts";

/** When the entries of these tests were received: 2024-01-02T03:04:05.678Z, microseconds. */
export const RECEIVED: Timestamp = 1_704_164_645_678_000n;

/** Facts of `foo` on their way into the queue; `changes` says what a test is about. */
export function newEntry(changes: Partial<NewEntry> = {}): NewEntry {
  return { command: "replace facts", version: 5, certname: "foo", received: RECEIVED, faults: [], ...changes };
}

/** The same in the queue. */
export function queued(id: number, changes: Partial<QueueEntry> = {}): QueueEntry {
  return { id, size: 2, ...newEntry(changes), ...changes };
}

/** Every field that an entry can have. */
export const complete: NewEntry = {
  command: "store report",
  version: 8,
  certname: "web-01.example.org – ünïcode",
  received: RECEIVED,
  producerTimestamp: RECEIVED - 78_001n,
  encoding: "gzip",
  checksum: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  faults: [
    { at: RECEIVED + 1n, message: "the first\nin two lines" },
    { at: RECEIVED + 2n, message: "the second" },
  ],
};
