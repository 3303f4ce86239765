import type { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ChangeFeed } from "#app/explorer/change-feed.ts";

/** A store with two entities, and a feed of it. */
function feedOf() {
  const versions = new Map([
    ["facts", "1"],
    ["reports", "1"],
  ]);
  let revision = 1;
  let reads = 0;
  let settled = Infinity;
  const feed = new ChangeFeed({
    revision: () => revision,
    settled: () => Math.min(settled, revision),
    versions: () => {
      reads++;
      return new Map(versions);
    },
  });
  return {
    feed,
    reads: () => reads,
    /** From now on answers are of this revision or a later one. */
    settle: (at: number) => (settled = at),
    change: (...names: readonly ("facts" | "reports")[]) => {
      revision++;
      for (const name of names) versions.set(name, `${versions.get(name)}+`);
    },
    follow: (): Readable => {
      const following = feed.follow();
      if (following === undefined) throw new Error("there are too many followers");
      return following.stream;
    },
  };
}

/** What there is to read, a list of the data of events; comments are `":"`. */
function readAll(stream: Readable): unknown[] {
  const text = String((stream.read() as Buffer | null) ?? "");
  return text
    .split("\n\n")
    .slice(0, -1)
    .map((event) => (event === ":" ? event : (JSON.parse(event.replace("event: changes\ndata: ", "")) as unknown)));
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("sends the present revision at once, and one event a second at most", () => {
  const { follow, change } = feedOf();
  const stream = follow();
  expect(readAll(stream)).toEqual([{ revision: 1 }]);
  change("reports");
  change("reports");
  change();
  expect(readAll(stream)).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(readAll(stream)).toEqual([{ revision: 4, changed: ["reports"] }]);
  vi.advanceTimersByTime(10_000);
  expect(readAll(stream)).toEqual([]);
});

it("announces a change once all answers include it, and what changed meanwhile with the next event", () => {
  const { follow, change, settle } = feedOf();
  const stream = follow();
  readAll(stream);
  settle(1);
  change("reports");
  vi.advanceTimersByTime(2000);
  change("facts");
  vi.advanceTimersByTime(2000);
  expect(readAll(stream)).toEqual([]);
  settle(2);
  vi.advanceTimersByTime(1000);
  expect(readAll(stream)).toEqual([{ revision: 2, changed: ["reports"] }]);
  vi.advanceTimersByTime(2000);
  expect(readAll(stream)).toEqual([]);
  settle(3);
  vi.advanceTimersByTime(1000);
  expect(readAll(stream)).toEqual([{ revision: 3, changed: ["facts"] }]);
});

it("announces everything to a page that may have received answers of an earlier revision", () => {
  const { follow, change, settle } = feedOf();
  change("facts");
  settle(1);
  const stream = follow();
  expect(readAll(stream)).toEqual([{ revision: 1 }]);
  vi.advanceTimersByTime(2000);
  expect(readAll(stream)).toEqual([]);
  settle(2);
  vi.advanceTimersByTime(1000);
  expect(readAll(stream)).toEqual([{ revision: 2, changed: ["facts", "reports"] }]);
});

it("does nothing without followers, and reads the store once for all followers", async () => {
  const { feed, follow, change, reads } = feedOf();
  expect(vi.getTimerCount()).toBe(0);
  const streams = [follow(), follow(), follow()];
  expect([vi.getTimerCount(), reads(), feed.followers]).toEqual([1, 1, 3]);
  vi.advanceTimersByTime(5000);
  expect(reads()).toBe(1);
  change("facts");
  vi.advanceTimersByTime(5000);
  expect(reads()).toBe(2);
  for (const stream of streams) stream.destroy();
  vi.advanceTimersByTime(0);
  vi.useRealTimers();
  await expect.poll(() => feed.followers).toBe(0);
});

it("queues nothing for a client that does not read, and sends it all changes once it does", () => {
  const { follow, change } = feedOf();
  const stream = follow();
  const before = stream.readableLength;
  for (let second = 0; second < 40; second++) {
    change(second % 2 === 0 ? "reports" : "facts");
    vi.advanceTimersByTime(1000);
  }
  expect(stream.readableLength).toBe(before);
  expect(readAll(stream)).toEqual([{ revision: 1 }]);
  vi.advanceTimersByTime(1000);
  expect(readAll(stream)).toEqual([{ revision: 41, changed: ["facts", "reports"] }]);
});

it("disconnects a client that has not read for a minute", () => {
  const { follow } = feedOf();
  const [reader, sleeper] = [follow(), follow()];
  for (let second = 0; second < 62; second++) {
    readAll(reader);
    vi.advanceTimersByTime(1000);
  }
  expect([reader.destroyed, sleeper.destroyed]).toEqual([false, true]);
});

it("sends a comment every 16 seconds while nothing changes, and ends after ten minutes", () => {
  const { follow } = feedOf();
  const stream = follow();
  readAll(stream);
  const sent: unknown[] = [];
  for (let second = 0; second < 602; second++) {
    vi.advanceTimersByTime(1000);
    sent.push(...readAll(stream));
  }
  expect([...new Set(sent)]).toEqual([":"]);
  expect(sent.length).toBe(Math.floor(600 / 16));
  expect(stream.readableEnded || stream.readableFlowing === null).toBe(true);
});

it("refuses more than 200 followers", () => {
  const { feed, follow } = feedOf();
  for (let follower = 0; follower < 200; follower++) follow();
  expect(feed.follow()).toBeUndefined();
});
