import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { JetStreamLog, type JetStreamLogOptions } from "#storage/queue/jetstream/jetstream-log.ts";
import { JetStreamOperation } from "#storage/queue/jetstream/operation.ts";
import { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW, population } from "#test/fixture-store.ts";
import { isWithoutNats, Nats } from "#test/replicas/nats.ts";
import { Proxy } from "#test/replicas/proxy.ts";

const isLeftOut = isWithoutNats("a log in JetStream");

/** Resolves when a store has stored the log up to a position. */
async function caughtUp(store: Store, position: number): Promise<void> {
  while ((store.followed?.position ?? 0) < position) await pause(10);
}

/** Commands of an archive, which may end too early. */
async function* archived(count: number, isCutOff = false): AsyncGenerator<Submission> {
  for (let n = 0; n < count; n++) yield a.facts(`archived${n}`);
  if (isCutOff) throw new Error("the archive is cut off");
}

/** Text that cannot be compressed much. */
function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join("");
}

describe.skipIf(isLeftOut)("stores that follow a log in JetStream", { timeout: 120_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let nats: Nats;
  const notices: string[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    nats = await Nats.start(folder.path);
  });
  afterAll(async () => {
    await nats[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const open = async (
    address: string,
    name: string,
    options: Partial<JetStreamLogOptions> = {},
    storeOptions: StoreOptions = {},
  ): Promise<Store> =>
    Store.open({
      directory: join(folder.path, name),
      clock: fixedClock(NOW),
      commandLog: (store) =>
        JetStreamLog.open(store, {
          address: readAddress(address),
          server: { name, version: "0" },
          days: 3,
          settings: {},
          outbox: { folder: join(folder.path, name, "queue/outbox"), ms: 60_000 },
          onNotice: (text) => notices.push(text),
          ...options,
        }),
      ...storeOptions,
    });

  it("store what any of them accepts, and have one fingerprint", async () => {
    const address = nats.address("shared");
    const [one, other] = [await open(address, "one"), await open(address, "other")];
    for (const [index, submission] of population.entries()) await (index % 2 === 0 ? one : other).submit(submission);
    await Promise.all(Array.from({ length: 600 }, (_, n) => one.accept(a.facts(`node${n}`))));
    const position = population.length + 600;
    await Promise.all([one, other].map((store) => caughtUp(store, position)));
    expect(await fieldOf(other, "nodes", "certname", ["=", "certname", "node599"])).toEqual(["node599"]);
    await other.lifecycle.deleteNode("node599");
    await caughtUp(one, position + 1);
    expect(await fieldOf(one, "nodes", "certname", ["=", "certname", "node599"])).toEqual([]);
    await one.lifecycle.clean({ operations: new Set(["expire_nodes", "gc_fact_paths"]), purgeLimit: null });
    await caughtUp(other, position + 2);
    expect(await one.fingerprint()).toStrictEqual(await other.fingerprint());
    await one.close();
    await other.close();
    // A third that comes later stores all of it, and continues from its position when it is opened again.
    for (const _ of ["first", "again"]) {
      const third = await open(address, "third");
      await caughtUp(third, position + 2);
      expect(third.followed).toMatchObject({ position: position + 2, head: position + 2 });
      await third.close();
    }
  });

  it("store commands that are larger than a message may be", async () => {
    const address = nats.address("large");
    const [one, other] = [await open(address, "large1"), await open(address, "large2")];
    const values = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`random${n}`, randomText(100_000)]));
    await one.submit(a.facts("large", { values }));
    await other.submit(a.facts("small"));
    await Promise.all([one, other].map((store) => caughtUp(store, one.followed?.position ?? 0)));
    while ((await fieldOf(one, "nodes", "certname")).length < 2) await pause(10);
    expect(await fieldOf(other, "facts", "value", ["=", "name", "random29"])).toEqual([values["random29"]]);
    expect((await one.fingerprint()).content).toBe((await other.fingerprint()).content);
    await one.close();
    await other.close();
  });

  it("add commands of an archive all or none", async () => {
    const store = await open(nats.address("archive"), "archive");
    await expect(store.acceptAll(archived(5, true))).rejects.toThrow("cut off");
    expect(await store.acceptAll(archived(300))).toBe(300);
    await caughtUp(store, 300);
    expect(store.followed).toMatchObject({ position: 300 });
    expect(await fieldOf(store, "nodes", "certname")).toHaveLength(300);
    await store.close();
  });

  it("add a periodic run once", async () => {
    const address = nats.address("turns");
    const [one, other] = [await open(address, "turns1"), await open(address, "turns2")];
    const logs = await Promise.all(
      ["turns3", "turns4"].map((name) =>
        JetStreamLog.open(
          { identity: name, isEmpty: true, position: undefined },
          {
            address: readAddress(address),
            server: { name, version: "0" },
            days: 3,
            settings: {},
            outbox: undefined,
            onNotice: () => undefined,
          },
        ),
      ),
    );
    const turn = { job: "gc", number: 7 };
    const add = (number: number) =>
      Promise.all(
        logs.map((log, index) =>
          log.appendMaintenance(
            { mark: `mark-${number}-${index}`, asOf: NOW, change: { kind: "compare" } },
            { ...turn, number },
          ),
        ),
      );
    expect((await add(7)).filter(Boolean)).toEqual([true]);
    expect(await add(7)).toEqual([false, false]);
    expect(await add(6)).toEqual([false, false]);
    expect((await add(8)).filter(Boolean)).toEqual([true]);
    await caughtUp(one, 2);
    for (const store of [one, other, ...logs]) await store.close();
  });

  it("compare what they have stored", async () => {
    const address = nats.address("compared");
    const [one, other] = [await open(address, "compared1"), await open(address, "compared2")];
    await one.submit(a.facts("web"));
    await using operation = await JetStreamOperation.open(readAddress(address), 3);
    expect(await operation.requestComparison(NOW)).toBe(2);
    for (const store of [one, other]) {
      while ((store.followed?.comparison?.equal.length ?? 0) === 0) await pause(50);
      expect(store.followed?.comparison).toMatchObject({ position: 2, different: [] });
    }
    await one.close();
    await other.close();
  });

  it("wait while the server is restarted, and lose and repeat nothing", async () => {
    const address = nats.address("restarted");
    const [one, other] = [await open(address, "restarted1"), await open(address, "restarted2")];
    await one.submit(a.report("web"));
    const sending = Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        await pause(n * 20);
        await (n % 2 === 0 ? one : other).accept(a.facts(`during${n}`));
      }),
    );
    await pause(300);
    await nats.kill();
    await pause(1000);
    expect(one.followed?.problem).toContain("the command log cannot be reached");
    expect(one.problem).toBeUndefined();
    expect(await fieldOf(one, "nodes", "certname", ["=", "certname", "web"])).toEqual(["web"]);
    await nats.restart();
    await sending;
    for (const store of [one, other]) await caughtUp(store, 101);
    expect(one.followed).toMatchObject({ position: 101, head: 101 });
    expect((await one.fingerprint()).content).toBe((await other.fingerprint()).content);
    await one.close();
    await other.close();
  });

  it("refuse commands after a while without the server, and accept them again when it is back", async () => {
    const address = nats.address("away");
    const store = await open(address, "away", { maxOutage: 500 });
    await store.submit(a.facts("one"));
    await nats.kill();
    await expect(store.accept(a.facts("two"))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("the command log is out of reach"),
    });
    await store.close();
    // A server that has followed the log starts without it, and answers.
    const again = await open(address, "away", { maxOutage: 500 });
    expect(await fieldOf(again, "nodes", "certname")).toEqual(["one"]);
    await expect(again.accept(a.facts("two"))).rejects.toMatchObject({ code: "unavailable" });
    await nats.restart();
    while (again.followed?.problem !== undefined) await pause(20);
    await again.submit(a.facts("three"));
    expect(await fieldOf(again, "nodes", "certname")).toEqual(["one", "three"]);
    await again.close();
  });

  it("notice within seconds that the server does not answer any more, and go on when it does", async () => {
    const store = await open(nats.address("frozen"), "frozen");
    await store.submit(a.facts("one"));
    nats.signal(0, "SIGSTOP");
    const started = performance.now();
    while (store.followed?.problem === undefined) await pause(20);
    expect(performance.now() - started).toBeLessThan(6000);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one"]);
    const accepted = store.submit(a.facts("two"));
    await pause(500);
    nats.signal(0, "SIGCONT");
    await accepted;
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one", "two"]);
    await store.close();
  });

  it("go on where the network swallows packets, between one of them and the server", async () => {
    await using proxy = await Proxy.start(nats.servers[0]?.port ?? 0);
    const near = await open(nats.address("swallowed"), "near");
    const far = await open(nats.address("swallowed", proxy.port), "far");
    await far.submit(a.facts("one"));
    // The log has the command; the acknowledgement does not arrive.
    proxy.manner = "swallow answers";
    const inDoubt = far.submit(a.facts("in-doubt"));
    await caughtUp(near, 2);
    proxy.manner = "swallow";
    await near.submit(a.facts("meanwhile"));
    while (far.followed?.problem === undefined) await pause(20);
    expect(await fieldOf(far, "nodes", "certname")).toEqual(["one"]);
    proxy.manner = "refuse";
    await pause(500);
    proxy.manner = "pass";
    await inDoubt;
    await Promise.all([near, far].map((store) => caughtUp(store, 3)));
    expect(near.followed).toMatchObject({ position: 3, head: 3 });
    expect((await far.fingerprint()).content).toBe((await near.fingerprint()).content);
    await near.close();
    await far.close();
  });

  it("stop at an entry that is damaged, or of a kind that only newer programs know", async () => {
    for (const kind of ["command", "snapshot"]) {
      const stream = `strange-${kind}`;
      const store = await open(nats.address(stream), stream);
      await store.submit(a.facts("one"));
      await nats.connected(stream, ({ stream: js }) => js.publish(`${stream}.entry.${kind}`, "CQR1"));
      while (store.problem === undefined) await pause(20);
      expect(store.problem).toContain(`entry 2 of the command log is damaged, or of a kind ("${kind}")`);
      expect(await fieldOf(store, "nodes", "certname")).toEqual(["one"]);
      await store.close();
    }
  });

  it("are refused with a reason if they do not belong to the log", async () => {
    const address = nats.address("foreigner");
    const first = await open(address, "foreign-first", { settings: { "facts-blocklist": "uptime" } });
    await first.submit(a.facts("web"));
    await first.close();
    const full = await Store.open({ directory: join(folder.path, "foreign-full") });
    await full.submit(a.facts("db"));
    await full.close();
    await expect(open(address, "foreign-full")).rejects.toMatchObject({
      code: "bad-file",
      message: expect.stringContaining("whose data are not those of this data directory"),
    });
    await expect(open(address, "foreign-first", { settings: { "facts-blocklist": "" } })).rejects.toThrow(
      'facts-blocklist is "" here and "uptime" for all servers',
    );
    await expect(open(nats.address("another"), "foreign-first")).rejects.toThrow("follows another log");
    await nats.connected("other", ({ manager }) => manager.streams.add({ name: "other", subjects: ["orders"] }));
    await expect(open(nats.address("other"), "foreign-first")).rejects.toThrow("the stream other has other subjects");
  });

  it("know that entries are not kept any more, and keep entries for as long as is configured", async () => {
    const address = nats.address("days");
    const store = await open(address, "days");
    for (const name of ["one", "two"]) await store.submit(a.facts(name));
    await store.close();
    const info = await nats.connected("days", async ({ manager }) => {
      await manager.streams.update("days", { max_age: 1_000_000_000, duplicate_window: 500_000_000 });
      while ((await manager.streams.info("days")).state.messages > 0) await pause(50);
      return manager.streams.info("days");
    });
    expect(info.state).toMatchObject({ first_seq: 3, last_seq: 2 });
    await expect(open(address, "days-new")).rejects.toThrow("entries up to 2 are not kept any more");
    const again = await open(address, "days");
    await again.submit(a.facts("three"));
    expect(again.followed).toMatchObject({ position: 3 });
    await again.close();
    const { config } = await nats.connected("days", ({ manager }) => manager.streams.info("days"));
    expect(config.max_age).toBe(3 * 86_400e9);
  });
});
