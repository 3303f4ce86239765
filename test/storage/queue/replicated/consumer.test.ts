import { afterEach, describe, expect, it, vi } from "vitest";
import { Ingester } from "#storage/ingest/ingester.ts";
import type { PrepareResult } from "#storage/ingest/prepare-result.ts";
import type { CommandEvent } from "#storage/queue/events.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { a, fieldOf, NOW } from "#test/fixture-store.ts";
import { MemoryReplicatedLog } from "./memory-log.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Makes every attempt to store a command of this node fail, as long as `error` returns an error. */
function failing(certname: string, error: () => Error | undefined): void {
  // eslint-disable-next-line typescript/unbound-method
  const write = Ingester.prototype.write;
  vi.spyOn(Ingester.prototype, "write").mockImplementation(async function (this: Ingester, commands, ...others) {
    const thrown = commands.some((command) => command.certname === certname) ? error() : undefined;
    if (thrown !== undefined) throw thrown;
    return write.call(this, commands, ...others);
  });
}

/** What a thread reports of a command that needs more memory than it has. */
const TOO_LARGE: PrepareResult = {
  problem: "preparing it takes more memory than a thread may have",
  isDefect: false,
  isOfMachine: true,
};

/** Makes every attempt to prepare a command of this node return {@link TOO_LARGE}, as long as `isBroken`. */
function tooLarge(certname: string, isBroken: () => boolean): void {
  // eslint-disable-next-line typescript/unbound-method
  const prepare = Ingester.prototype.prepare;
  vi.spyOn(Ingester.prototype, "prepare").mockImplementation(async function (this: Ingester, submissions, ...others) {
    const results = await prepare.call(this, submissions, ...others);
    return results.map((result, index) =>
      isBroken() && submissions[index]?.certname === certname ? TOO_LARGE : result,
    );
  });
}

async function openShared(onCommand: (event: CommandEvent) => void): Promise<Store> {
  const pace = { size: () => 100, ms: () => 1 };
  return Store.open({ clock: fixedClock(NOW), commandLog: new MemoryReplicatedLog().opener(pace), onCommand });
}

describe("a store that follows a log with others, where a command cannot be stored", () => {
  it("stores nothing after it until it can, if that is not for its content", async () => {
    const kinds: string[] = [];
    const store = await openShared(({ kind }) => kinds.push(kind));
    let isBroken = true;
    failing("second", () => (isBroken ? new Error("INTERNAL Error: the engine has a defect") : undefined));
    await store.submit(a.facts("first"));
    const accepted = await Promise.all(["second", "third"].map((name) => store.accept(a.facts(name), true)));
    await expect.poll(() => kinds.filter((kind) => kind === "stalled").length).toBeGreaterThan(1);
    expect(store.isStalled).toBe(true);
    expect(store.followed).toMatchObject({ position: 1, head: 3 });
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["first"]);
    isBroken = false;
    const processed = await Promise.all(accepted.map((command) => command.processed));
    expect(processed.map(({ kind }) => kind)).toEqual(["done", "done"]);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["first", "second", "third"]);
    expect(kinds).not.toContain("postponed");
    expect(kinds).not.toContain("discarded");
    await store.close();
  });

  it("stores nothing after it until there is enough memory to prepare it", async () => {
    const kinds: string[] = [];
    const store = await openShared(({ kind }) => kinds.push(kind));
    let isBroken = true;
    tooLarge("second", () => isBroken);
    const accepted = await Promise.all(["first", "second", "third"].map((name) => store.accept(a.facts(name), true)));
    await expect.poll(() => kinds.filter((kind) => kind === "stalled").length).toBeGreaterThan(1);
    expect(await fieldOf(store, "nodes", "certname")).not.toContain("third");
    isBroken = false;
    const processed = await Promise.all(accepted.map((command) => command.processed));
    expect(processed.map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
    expect(kinds).not.toContain("discarded");
    await store.close();
  });

  it("discards it if that is for its content, as all others do", async () => {
    const kinds: string[] = [];
    const store = await openShared(({ kind }) => kinds.push(kind));
    failing("second", () => new Error("Conversion Error: a value is out of range"));
    const accepted = await Promise.all(["first", "second", "third"].map((name) => store.accept(a.facts(name), true)));
    const processed = await Promise.all(accepted.map((command) => command.processed));
    expect(processed.map(({ kind }) => kind)).toEqual(["done", "failed", "done"]);
    expect(kinds.filter((kind) => kind === "discarded")).toHaveLength(1);
    expect(store.followed).toMatchObject({ position: 3 });
    await store.close();
  });
});

describe("a store with a queue of its own, where a command needs more memory than a thread has", () => {
  it("discards it and stores the others", async () => {
    const kinds: string[] = [];
    const store = await Store.open({ clock: fixedClock(NOW), onCommand: ({ kind }) => kinds.push(kind) });
    tooLarge("second", () => true);
    const accepted = await Promise.all(["first", "second", "third"].map((name) => store.accept(a.facts(name), true)));
    const processed = await Promise.all(accepted.map((command) => command.processed));
    expect(processed.map(({ kind }) => kind)).toEqual(["done", "refused", "done"]);
    expect(kinds.filter((kind) => kind === "discarded")).toHaveLength(1);
    expect(kinds).not.toContain("stalled");
    await store.close();
  });
});
