import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { CommandEvent } from "#storage/queue/events.ts";
import { Ingester } from "#storage/ingest/ingester.ts";
import { NodeIndex } from "#storage/nodes/node-index.ts";
import { QueueConsumer } from "#storage/queue/consumer.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import type { DeadLetters } from "#storage/queue/dead-letters.ts";
import { openQueue } from "#storage/queue/open.ts";
import { migrate } from "#storage/schema/migrate.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, NOW, type TextSubmission, time } from "#test/fixture-store.ts";

interface Running extends AsyncDisposable {
  readonly database: Database;
  readonly consumer: QueueConsumer;
  readonly deadLetters: DeadLetters;
  /** What has happened so far: the kind of each event, the command's certname, and its outcome if it has one. */
  readonly events: string[];
  /** Resolves when this event has happened `times` times. */
  until(event: string, times?: number): Promise<void>;
}

/** A data directory's queue with everything behind it, as a store puts it together. */
async function start(directory: string): Promise<Running> {
  const database = await Database.open({ path: join(directory, "census.duckdb") });
  await migrate(database);
  const { log, deadLetters, identity, unfinished } = await openQueue(database, directory);
  if (deadLetters === undefined) throw new Error("a queue in a folder has dead letters");
  const clock = fixedClock(NOW);
  const nodes = new NodeIndex();
  const retention = defaultRetention;
  const ingester = new Ingester(database, { nodes, clock, retention, queue: identity });
  const events: string[] = [];
  const looks = new Set<() => void>();
  const onEvent = (event: CommandEvent): void => {
    events.push(describeEvent(event));
    for (const look of looks) look();
  };
  const consumer = new QueueConsumer({ log, deadLetters, ingester, clock, onEvent });
  consumer.start(unfinished);
  const until = (event: string, times = 1): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (events.filter((met) => met === event).length < times) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  const close = async (): Promise<void> => {
    await consumer.close(false);
    await ingester.close();
    await log.checkpointed(ingester.progress.committed);
    await log.close();
    await database.close();
  };
  return { database, consumer, deadLetters, events, until, [Symbol.asyncDispose]: close };
}

function describeEvent(event: CommandEvent): string {
  if (!("entry" in event)) return event.kind;
  return `${event.kind} ${event.entry.certname}${event.kind === "processed" ? ` ${event.outcome}` : ""}`;
}

/** Takes commands in at a time; what became of each when it was first tried. */
async function together(consumer: QueueConsumer, submissions: readonly Submission[]): Promise<string[]> {
  const accepted = await Promise.all(submissions.map((submission) => consumer.accept(submission, true)));
  const processings = await Promise.all(accepted.map(({ processed }) => processed));
  return processings.map((processing) =>
    processing.kind === "done" ? processing.outcome : `${processing.kind}: ${processing.error.message.split("\n")[0]}`,
  );
}

/** Without their table the engine refuses catalog inputs, and nothing else. */
const hide = (database: Database): Promise<void> =>
  database.execute("ALTER TABLE catalog_inputs RENAME TO hidden_catalog_inputs");
const show = (database: Database): Promise<void> =>
  database.execute("ALTER TABLE hidden_catalog_inputs RENAME TO catalog_inputs");
const inputsOf = async (database: Database): Promise<number> => (await database.rows("FROM catalog_inputs")).length;
const nodes = async (database: Database): Promise<unknown[]> =>
  (await database.rows<{ certname: string }>("SELECT certname FROM nodes ORDER BY certname")).map(
    ({ certname }) => certname,
  );
const refusal = /^failed: .*catalog_inputs.* could not be found/;
const broken: Submission = { ...a.facts("broken"), payload: "{" };

const timed = (turn: number, at: string): Submission => ({
  ...a.facts("web", { values: { turn }, producer_timestamp: at }),
  producerTimestamp: time(at),
});

/** Too large to be kept in memory until it is processed: must be read from the disk. */
const large = (submission: TextSubmission): Submission => ({
  ...submission,
  payload: submission.payload + " ".repeat(16 * 1024 * 1024),
});

/** Makes the disk refuse the next reads. */
async function failingReads(path: string, times: number): Promise<void> {
  const handle = await open(path, "r");
  await handle.close();
  const error = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
  const read = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "read");
  for (let time = 0; time < times; time++) read.mockRejectedValueOnce(error);
}

async function handBack({ deadLetters }: Running): Promise<void> {
  for (const { name } of await deadLetters.list()) await deadLetters.retry(name);
}

const clocks = { toFake: ["setTimeout", "clearTimeout"] as ("setTimeout" | "clearTimeout")[] };
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("commands of one node", () => {
  it("are stored in the order of their arrival, over several batches", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const commands = Array.from({ length: 700 }, (_, turn) => a.facts("web", { values: { turn } }));
    expect(new Set(await together(running.consumer, commands))).toEqual(new Set(["stored"]));
    expect(await running.database.rows("SELECT value FROM facts")).toEqual([{ value: "699" }]);
    expect(running.consumer.depth).toBe(0);
  });

  it("are skipped if a newer command made them obsolete, and count as done", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const commands = [timed(1, "2026-11-20T10:00:00Z"), timed(2, "2026-11-20T11:00:00Z")];
    expect(await together(running.consumer, commands)).toEqual(["obsolete", "stored"]);
    expect(running.events.slice(2)).toEqual(["superseded web", "obsolete web", "processed web stored"]);
    expect(await running.database.rows("SELECT value FROM facts")).toEqual([{ value: "2" }]);
  });
});

describe("commands that come one by one", () => {
  const COUNT = 12;
  const PAUSE = 20;

  it("share transactions although each arrives alone", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const transactions = vi.spyOn(running.database, "transaction");
    for (let n = 0; n < COUNT; n++) {
      await running.consumer.accept(a.facts(`node-${n}`), false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    await running.consumer.settle();
    expect(running.events.filter((event) => event.startsWith("processed"))).toHaveLength(COUNT);
    expect(transactions.mock.calls.length).toBeLessThan(COUNT * 0.7);
  });

  it("are stored without a delay once a client waits for one of them", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const { consumer, events } = running;
    await consumer.accept(a.facts("first"), false);
    await running.until("processed first stored");
    for (const certname of ["second", "third"]) await consumer.accept(a.facts(certname), false);
    const { processed } = await consumer.accept(a.facts("fourth"), true);
    expect(events.filter((event) => event.startsWith("processed"))).toHaveLength(1);
    await processed;
    expect(events.filter((event) => event.startsWith("processed")).map((event) => event.split(" ")[1])).toStrictEqual([
      "first",
      "second",
      "third",
      "fourth",
    ]);
  });
});

describe("a command that can never be stored", () => {
  it("becomes a dead letter at once, with its diagnosis, and commands next to it are stored", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const outcomes = await together(running.consumer, [a.facts("one"), broken, a.facts("two")]);
    expect(outcomes).toEqual(["stored", expect.stringMatching(/^refused: .*the payload is not JSON/), "stored"]);
    const [letter] = await running.deadLetters.list();
    expect(letter).toMatchObject({ command: "replace facts", certname: "broken", size: 1, received: NOW });
    const { payload, diagnosis } = await running.deadLetters.read(letter?.name ?? "");
    expect(Buffer.from(payload).toString()).toBe("{");
    expect(diagnosis).toMatch(
      /^Attempt 1 @ 2026-11-21T00:00:00\.000Z\nreplace facts v5 of broken: the payload is not JSON: /,
    );
  });

  it("is one dead letter, also after a restart", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    await together(running.consumer, [broken]);
    await running[Symbol.asyncDispose]();
    await using again = await start(folder.path);
    await together(again.consumer, [a.facts("one")]);
    expect(await again.deadLetters.list()).toHaveLength(1);
    expect(again.events).toEqual(["received one", "processed one stored"]);
  });
});

describe("a command that the engine refuses", () => {
  it("is retried alone, and the others of its transaction are stored", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    await hide(running.database);
    const names = Array.from({ length: 40 }, (_, index) => `node-${index + 10}`);
    const commands = names.map((name, index) => (index === 23 ? a.inputs(name) : a.facts(name)));
    const outcomes = await together(running.consumer, commands);
    expect(outcomes.filter((outcome) => outcome === "stored")).toHaveLength(39);
    expect(outcomes[23]).toMatch(refusal);
    expect(await nodes(running.database)).toEqual(names.filter((_, index) => index !== 23));
    expect({ depth: running.consumer.depth, again: running.consumer.awaitingRetry }).toEqual({ depth: 1, again: 1 });
    expect(await running.deadLetters.list()).toEqual([]);
  });

  // The log used to forget it with the commands that came after it.
  it("is not lost while later commands are stored before it", async () => {
    await using folder = await temporaryFolder();
    const before = await start(folder.path);
    await hide(before.database);
    expect(await together(before.consumer, [a.inputs("late")])).toEqual([expect.stringMatching(refusal)]);
    await together(before.consumer, [a.facts("one"), a.facts("two")]);
    await show(before.database);
    await before[Symbol.asyncDispose]();

    await using after = await start(folder.path);
    await after.until("processed late stored");
    expect(await inputsOf(after.database)).toBe(1);
    await after[Symbol.asyncDispose]();
    expect(await readdir(join(folder.path, "queue", "postponed"))).toEqual([]);
  });

  it("is tried again after ten seconds", async () => {
    vi.useFakeTimers(clocks);
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    await hide(running.database);
    await together(running.consumer, [a.inputs("late")]);
    await running.until("postponed late");
    await together(running.consumer, [a.facts("one")]);
    await show(running.database);
    vi.advanceTimersByTime(9_999);
    expect(running.consumer.awaitingRetry).toBe(1);
    vi.advanceTimersByTime(1);
    await running.until("processed late stored");
    expect(running.consumer.awaitingRetry).toBe(0);
    expect(await inputsOf(running.database)).toBe(1);
    await running[Symbol.asyncDispose]();
    expect(await readdir(join(folder.path, "queue", "postponed"))).toEqual([]);
  });

  it("becomes a dead letter after six failures, with every attempt in its diagnosis", async () => {
    vi.useFakeTimers(clocks);
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    await hide(running.database);
    await together(running.consumer, [a.inputs("never")]);
    for (const [index, seconds] of [10, 60, 600, 3600, 3600].entries()) {
      await running.until("postponed never", index + 1);
      vi.advanceTimersByTime(seconds * 1000);
    }
    await running.until("discarded never");
    const [letter] = await running.deadLetters.list();
    const { diagnosis } = await running.deadLetters.read(letter?.name ?? "");
    expect(diagnosis.match(/^Attempt \d @ .*$/gm)).toEqual(
      [6, 5, 4, 3, 2, 1].map((attempt) => `Attempt ${attempt} @ 2026-11-21T00:00:00.000Z`),
    );
    await running[Symbol.asyncDispose]();
    expect(await readdir(join(folder.path, "queue", "postponed"))).toEqual([]);
  });

  it("is tried again at once after a restart, and its earlier failures count", async () => {
    await using folder = await temporaryFolder();
    for (let attempt = 1; attempt <= 6; attempt++) {
      await using running = await start(folder.path);
      if (attempt === 1) {
        await hide(running.database);
        await together(running.consumer, [a.inputs("never")]);
      }
      await running.until(attempt < 6 ? "postponed never" : "discarded never");
      expect(await running.deadLetters.list()).toHaveLength(attempt < 6 ? 0 : 1);
    }
  });
});

describe("an error that no command caused", () => {
  it("stops the queue until it has passed, and counts as an attempt of no command", async () => {
    vi.useFakeTimers(clocks);
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    await failingReads(join(folder.path, "queue", "identity"), 2);
    const outcome = together(running.consumer, [large(a.facts("one"))]);
    await running.until("stalled");
    vi.advanceTimersByTime(250);
    await running.until("stalled", 2);
    vi.advanceTimersByTime(500);
    expect(await outcome).toEqual(["stored"]);
    expect(running.events).toEqual(["received one", "stalled", "stalled", "processed one stored"]);
  });

  it("does not prevent a shutdown, and the next process stores the commands", async () => {
    await using folder = await temporaryFolder();
    const before = await start(folder.path);
    await failingReads(join(folder.path, "queue", "identity"), 1000);
    await before.consumer.accept(large(a.facts("one")), true);
    await before.until("stalled");
    await before[Symbol.asyncDispose]();
    vi.restoreAllMocks();
    await using after = await start(folder.path);
    await after.until("processed one stored");
    expect(await nodes(after.database)).toEqual(["one"]);
  });
});

describe("commands that the engine has lost when its file is reopened", () => {
  it("are stored again from the queue, in their order and before newer commands, and no others", async () => {
    await using folder = await temporaryFolder();
    await using running = await start(folder.path);
    const { database, consumer } = running;
    await hide(database);
    await together(consumer, [a.facts("one"), a.inputs("late"), { ...a.facts("bad"), payload: "{" }]);
    await together(consumer, [a.facts("two"), a.facts("three")]);
    // The transaction of the last two has not come back.
    await database.execute("UPDATE queue_progress SET applied = 3");
    await database.execute("DELETE FROM nodes WHERE certname IN ('two', 'three')");
    running.events.length = 0;
    await consumer.reopened();
    const meanwhile = together(consumer, [a.facts("four")]);
    await running.until("processed four stored");
    expect(await meanwhile).toEqual(["stored"]);
    expect(running.events).toEqual(
      expect.arrayContaining(["rewound", "processed two stored", "processed three stored"]),
    );
    expect(running.events.filter((event) => /processed (?:one|late|bad)|discarded|postponed/.test(event))).toEqual([]);
    const stored = await database.rows<{ certname: string }>("SELECT certname FROM nodes ORDER BY certname");
    expect(stored.map(({ certname }) => certname)).toEqual(["four", "one", "three", "two"]);
    expect(consumer.awaitingRetry).toBe(1);
  });
});

describe("dead letters that are retried", () => {
  it("are processed by the running process, and by one that starts", async () => {
    vi.useFakeTimers(clocks);
    await using folder = await temporaryFolder();
    const before = await start(folder.path);
    await together(before.consumer, [broken]);
    await before.until("discarded broken");
    await handBack(before);
    vi.advanceTimersByTime(3000);
    await before.until("discarded broken", 2);
    await handBack(before);
    await before[Symbol.asyncDispose]();
    await using after = await start(folder.path);
    await after.until("discarded broken");
    expect(await after.deadLetters.list()).toHaveLength(1);
  });
});
