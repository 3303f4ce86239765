import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { JetStreamLog } from "#storage/queue/jetstream/jetstream-log.ts";
import { Outbox } from "#storage/queue/jetstream/outbox.ts";
import { LossWatch } from "#storage/queue/jetstream/source.ts";
import { packedRecord } from "#storage/queue/shared/packed-record.ts";
import { payloadBytes } from "#storage/ingest/submission.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW } from "#test/fixture-store.ts";
import { isWithoutNats, Nats } from "#test/replicas/nats.ts";

const isLeftOut = isWithoutNats("a JetStream that loses entries");

async function caughtUp(store: Store, position: number): Promise<void> {
  while ((store.followed?.position ?? 0) < position) await pause(10);
}

/** Text that cannot be compressed much. */
function randomText(length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join("");
}

/** The marks of all entries of a log, in its order. */
async function marksOf(nats: Nats): Promise<string[]> {
  return nats.connected("log", async ({ manager }) => {
    const { state } = await manager.streams.info("log");
    const marks: string[] = [];
    for (let seq = 1; seq <= state.last_seq; seq++) {
      marks.push((await manager.streams.getMessage("log", { seq }))?.header.get("Census-Mark") ?? "");
    }
    return marks;
  });
}

const row = (mark: string) => ({ mark, kind: "command", record: Buffer.from(mark) });

describe.skipIf(isLeftOut)("entries that JetStream has acknowledged and lost", { timeout: 180_000 }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let nats: Nats;
  let notices: string[];
  beforeEach(async () => {
    folder = await temporaryFolder();
    notices = [];
  });

  const start = async (count = 1): Promise<void> => {
    // Entries have parts where they are larger than this.
    const configuration = join(folder.path, "nats.conf");
    writeFileSync(configuration, "max_payload: 32768\n");
    nats = await Nats.start(folder.path, count, ["-c", configuration]);
  };

  afterEach(async () => {
    await nats[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const outboxOf = (name: string): string => join(folder.path, name, "queue/outbox");

  const open = async (name: string, hasOutbox = true): Promise<Store> =>
    Store.open({
      directory: join(folder.path, name),
      clock: fixedClock(NOW),
      commandLog: (store) =>
        JetStreamLog.open(store, {
          address: readAddress(nats.address("log")),
          server: { name, version: "0" },
          days: 3,
          settings: {},
          outbox: hasOutbox ? { folder: outboxOf(name), ms: 60_000 } : undefined,
          onNotice: (text) => notices.push(text),
        }),
    });

  it.each([1, 3])("are at their places again, so that all servers continue (%i NATS servers)", async (count) => {
    await start(count);
    const [one, other, idle] = [await open("one"), await open("other"), await open("idle")];
    await one.submit(a.facts("before"));
    const lose = await nats.snapshot();
    for (let n = 0; n < 20; n++) await (n % 3 === 0 ? one : other).accept(a.facts(`node${n}`));
    await one.submit(a.facts("with-parts", { values: { random: randomText(50_000) } }));
    await one.lifecycle.deleteNode("node3");
    const end = one.followed?.position ?? 0;
    await Promise.all([other, idle].map((store) => caughtUp(store, end)));
    const marks = await marksOf(nats);
    await lose();
    // It has nothing to add again, and waits for those that have.
    await idle.submit(a.facts("after"));
    await caughtUp(other, end + 1);
    expect((await marksOf(nats)).slice(0, end)).toEqual(marks);
    expect(new Set(marks).size).toBeLessThan(marks.length);
    expect(notices.join("\n")).toMatch(/JetStream had lost \d+ entries of this server; they are at their places again/);
    expect(one.problem).toBeUndefined();
    expect((await one.fingerprint()).content).toBe((await other.fingerprint()).content);
    const third = await open("third");
    await caughtUp(third, end + 1);
    expect((await third.fingerprint()).content).toBe((await other.fingerprint()).content);
    for (const store of [one, other, idle, third]) await store.close();
  });

  it("are added again by processes that have been started since", async () => {
    await start();
    const one = await open("one");
    await one.submit(a.facts("before"));
    const lose = await nats.snapshot();
    for (let n = 0; n < 5; n++) await one.submit(a.facts(`node${n}`));
    const marks = await marksOf(nats);
    await one.close();
    await lose();
    const again = await open("one");
    await again.submit(a.facts("after"));
    expect((await marksOf(nats)).slice(0, marks.length)).toEqual(marks);
    expect(await fieldOf(again, "nodes", "certname")).toHaveLength(7);
    await again.close();
  });

  it("stop servers that have stored them if others have their places; nothing is lost", async () => {
    await start();
    const [one, other] = [await open("one"), await open("other")];
    await one.submit(a.facts("before"));
    await caughtUp(other, 1);
    await other.close();
    const lose = await nats.snapshot();
    for (const name of ["lost1", "lost2"]) await one.submit(a.facts(name));
    await one.close();
    await lose();
    // It has not seen that anything is missing.
    const unaware = await open("other");
    await unaware.submit(a.facts("instead"));
    const stopped = await open("one");
    while (stopped.problem === undefined) await pause(20);
    expect(stopped.problem).toContain("entry 3, which this server has stored, is another one now: JetStream has lost");
    await caughtUp(unaware, 4);
    expect((await fieldOf(unaware, "nodes", "certname")).sort()).toEqual(["before", "instead", "lost1", "lost2"]);
    expect(notices.join("\n")).toContain("JetStream had lost 2 entries of this server, whose places others have now");
    await stopped.close();
    await unaware.close();
  });

  it("end servers that have stored them if no copy is left", async () => {
    await start();
    const one = await open("one", false);
    await one.submit(a.facts("before"));
    const lose = await nats.snapshot();
    await one.submit(a.facts("lost"));
    await one.close();
    await lose();
    const again = await open("one", false);
    while (again.followed?.problem === undefined) await pause(20);
    expect(again.followed.problem).toContain("has lost entries after 1, of which this server has stored those up to 2");
    const position = { log: again.followed.log, id: 2, mark: "mark" };
    const check = (watch: LossWatch) =>
      nats.connected("log", (connection) => watch.check(connection, readAddress(nats.address("log")), position));
    await expect(check(new LossWatch())).rejects.toMatchObject({ code: "unavailable" });
    await expect(check(new LossWatch(0))).rejects.toMatchObject({ code: "bad-file" });
    await again.close();
  });

  it("are published once if it is not known whether they were", async () => {
    await start();
    const one = await open("one");
    await one.submit(a.facts("before"));
    const log = one.followed?.log ?? "";
    await one.close();
    const outbox = await Outbox.open({ folder: join(outboxOf("one"), log), ms: 60_000 });
    const { payload: _, ...entry } = a.facts("unsent");
    const record = await packedRecord({ ...entry, faults: [] }, payloadBytes(a.facts("unsent")));
    await outbox.put([{ mark: "unsent", kind: "command", record }], 1);
    await outbox.put([{ mark: "sent", kind: "command", record }], 1);
    await outbox.close();
    await nats.connected("log", async ({ stream }) => {
      const { headers } = await import("@nats-io/transport-node");
      const marked = headers();
      marked.set("Census-Mark", "sent");
      await stream.publish("log.entry.command", record, { headers: marked });
    });
    const again = await open("one");
    await caughtUp(again, 3);
    expect((await marksOf(nats)).slice(1)).toEqual(["sent", "unsent"]);
    await again.close();
    const third = await open("one");
    await third.submit(a.facts("after"));
    expect(third.followed?.position).toBe(4);
    await third.close();
  });

  it("leave the outbox some time after they were acknowledged", async () => {
    await start();
    const place = outboxOf("tidied");
    const outbox = await Outbox.open({ folder: place, ms: 200 });
    await outbox.put([row("one"), row("two")], 0);
    outbox.acknowledged("one", [1]);
    await outbox.tidy();
    await pause(250);
    await outbox.put([row("three")], 1);
    await outbox.tidy();
    expect(outbox.rows.map(({ mark }) => mark)).toEqual(["one", "two", "three"]);
    outbox.acknowledged("two", [2]);
    outbox.drop("three");
    expect((await outbox.read("two")).toString()).toBe("two");
    await pause(250);
    await outbox.tidy();
    expect(outbox.rows).toEqual([]);
    expect(readdirSync(place)).toEqual([]);
    await outbox.close();
  });
});
