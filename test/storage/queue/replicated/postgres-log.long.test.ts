import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Submission } from "#storage/ingest/submission.ts";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { PostgresLog, type PostgresLogOptions } from "#storage/queue/replicated/postgres-log.ts";
import { Store } from "#storage/store.ts";
import type { MaintenanceEvent } from "#storage/lifecycle/events.ts";
import type { CleanRequest } from "#storage/lifecycle/request.ts";
import { keepEverything } from "#storage/lifecycle/retention.ts";
import { databaseFile } from "#storage/store-database.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW, population, time } from "#test/fixture-store.ts";
import { isWithoutPostgres, Postgres } from "#test/replicas/postgres.ts";
import { Proxy } from "#test/replicas/proxy.ts";

const isLeftOut = isWithoutPostgres("a log in PostgreSQL");

/** Resolves when a store has stored the log up to a position. */
async function caughtUp(store: Store, position: number): Promise<void> {
  while ((store.followed?.position ?? 0) < position) await pause(10);
}

/** Commands of an archive, which may end too early. */
async function* archived(count: number, isCutOff = false): AsyncGenerator<Submission> {
  for (let n = 0; n < count; n++) yield a.facts(`archived${n}`);
  if (isCutOff) throw new Error("the archive is cut off");
}

describe.skipIf(isLeftOut)("stores that follow a log in PostgreSQL", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let postgres: Postgres;
  const notices: string[] = [];
  beforeAll(async () => {
    folder = await temporaryFolder();
    postgres = await Postgres.start(folder.path);
  });
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  /** A database of its own for each test. */
  function newLog(name: string): string {
    postgres.sql(`CREATE DATABASE ${name}`);
    return postgres.address().replace(/postgres$/, name);
  }

  const open = async (
    address: string,
    name: string,
    options: Partial<PostgresLogOptions> = {},
    storeOptions: StoreOptions = {},
  ): Promise<Store> =>
    Store.open({
      directory: join(folder.path, name),
      clock: fixedClock(NOW),
      commandLog: (store) =>
        PostgresLog.open(store, {
          address: readAddress(address),
          server: { name, version: "0" },
          days: 3,
          settings: {},
          onNotice: (text) => notices.push(text),
          ...options,
        }),
      ...storeOptions,
    });

  it("store what any of them accepts, and have one fingerprint", async () => {
    const address = newLog("shared");
    const [one, other] = [await open(address, "one"), await open(address, "other")];
    for (const [index, submission] of population.entries()) await (index % 2 === 0 ? one : other).submit(submission);
    await Promise.all(Array.from({ length: 600 }, (_, n) => one.accept(a.facts(`node${n}`))));
    const position = population.length + 600;
    await Promise.all([one, other].map((store) => caughtUp(store, position)));
    expect(await fieldOf(other, "nodes", "certname", ["=", "certname", "node599"])).toEqual(["node599"]);
    expect(await one.fingerprint()).toStrictEqual(await other.fingerprint());
    await other.lifecycle.deleteNode("node599");
    await caughtUp(one, position + 1);
    expect(await fieldOf(one, "nodes", "certname", ["=", "certname", "node599"])).toEqual([]);
    const request: CleanRequest = { operations: new Set(["expire_nodes", "gc_fact_paths"]), purgeLimit: null };
    const requested = await Promise.allSettled([1, 2, 3, 4].map(async () => one.lifecycle.clean(request)));
    expect(requested.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    await caughtUp(other, position + 2);
    expect(await one.fingerprint()).toStrictEqual(await other.fingerprint());
    await one.close();
    const again = await open(address, "one", {}, { clock: fixedClock(time("2027-01-01T00:00:00Z")) });
    expect(again.followed).toMatchObject({ position: position + 2 });
    await other.close();
    // A third that comes later stores all of it.
    const third = await open(address, "third");
    await caughtUp(third, position + 2);
    expect(await third.fingerprint()).toStrictEqual(await again.fingerprint());
    // A fourth begins with a copy, whose position it continues from.
    const [backup, copy] = [await third.backup(), join(folder.path, "copy")];
    mkdirSync(copy);
    copyFileSync(backup.path, join(copy, databaseFile));
    backup[Symbol.dispose]();
    await third.submit(a.facts("after-the-copy"));
    const fourth = await open(address, "copy");
    expect(fourth.followed?.position).toBeGreaterThanOrEqual(position + 2);
    await Promise.all([again, fourth].map((store) => caughtUp(store, position + 3)));
    expect(await fourth.fingerprint()).toStrictEqual(await again.fingerprint());
    await again.close();
    await third.close();
    await fourth.close();
  });

  it("add commands of an archive all or none", async () => {
    const address = newLog("archive");
    const store = await open(address, "archive");
    await expect(store.acceptAll(archived(5, true))).rejects.toThrow("cut off");
    expect(await store.acceptAll(archived(300))).toBe(300);
    await caughtUp(store, 300);
    expect(store.followed).toMatchObject({ position: 300 });
    expect(await fieldOf(store, "nodes", "certname")).toHaveLength(300);
    await store.close();
  });

  it("wait while PostgreSQL is restarted, and lose and repeat nothing", async () => {
    const address = newLog("restarted");
    const [one, other] = [await open(address, "restarted1"), await open(address, "restarted2")];
    await one.submit(a.report("web"));
    const sending = Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        await pause(n * 20);
        await (n % 2 === 0 ? one : other).accept(a.facts(`during${n}`));
      }),
    );
    await pause(300);
    await postgres.kill();
    await pause(1000);
    expect(one.followed?.problem).toContain("the command log cannot be reached");
    expect(one.problem).toBeUndefined();
    expect(await fieldOf(one, "nodes", "certname", ["=", "certname", "web"])).toEqual(["web"]);
    await postgres.restart();
    await sending;
    const entries = 101;
    for (const store of [one, other]) {
      while ((await fieldOf(store, "nodes", "certname")).length < entries) await pause(20);
    }
    expect(one.followed?.problem).toBeUndefined();
    expect((await one.fingerprint()).content).toBe((await other.fingerprint()).content);
    await one.close();
    await other.close();
  });

  it("refuse commands after a while without PostgreSQL, and accept them again when it is back", async () => {
    const address = newLog("away");
    const maintained: string[] = [];
    const onMaintenance = ({ kind }: MaintenanceEvent): number => maintained.push(kind);
    const retention = { ...keepEverything, gcIntervals: { ...keepEverything.gcIntervals, gc_packages: 100 } };
    const store = await open(address, "away", { maxOutage: 500 }, { retention, onMaintenance });
    await store.submit(a.facts("one"));
    while (maintained.length === 0) await pause(10);
    await postgres.kill();
    await expect(store.accept(a.facts("two"))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("the command log is out of reach"),
    });
    // Periodic runs are missed without a word of each.
    await pause(500);
    expect(maintained).not.toContain("failed");
    await store.close();
    // A server that has followed the log starts without it, and answers.
    const again = await open(address, "away", { maxOutage: 500 });
    expect(await fieldOf(again, "nodes", "certname")).toEqual(["one"]);
    await expect(again.accept(a.facts("two"))).rejects.toMatchObject({ code: "unavailable" });
    await postgres.restart();
    while (again.followed?.problem !== undefined) await pause(20);
    await again.submit(a.facts("three"));
    expect(await fieldOf(again, "nodes", "certname")).toEqual(["one", "three"]);
    await again.close();
  });

  it("notice that PostgreSQL does not answer any more, and go on when it does", async () => {
    const address = newLog("frozen");
    const store = await open(address, "frozen");
    await store.submit(a.facts("one"));
    postgres.signal("SIGSTOP");
    while (store.followed?.problem === undefined) await pause(20);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one"]);
    const accepted = store.submit(a.facts("two"));
    await pause(500);
    postgres.signal("SIGCONT");
    await accepted;
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one", "two"]);
    await store.close();
  });

  it("go on where the network swallows packets, between one of them and PostgreSQL", async () => {
    const address = newLog("swallowed");
    await using proxy = await Proxy.start(postgres.port);
    const [near, far] = [
      await open(address, "near"),
      await open(address.replace(`:${postgres.port}/`, `:${proxy.port}/`), "far"),
    ];
    await far.submit(a.facts("one"));
    // The database has the command; its answer does not arrive.
    proxy.manner = "swallow answers";
    const inDoubt = far.submit(a.facts("in-doubt"));
    await caughtUp(near, 2);
    proxy.manner = "swallow";
    await near.submit(a.facts("meanwhile"));
    while (far.followed?.problem === undefined) await pause(20);
    expect(await fieldOf(far, "nodes", "certname")).toEqual(["one"]);
    proxy.manner = "refuse";
    await pause(1500);
    proxy.manner = "pass";
    await inDoubt;
    await Promise.all([near, far].map((store) => caughtUp(store, 3)));
    expect(near.followed).toMatchObject({ position: 3, head: 3 });
    expect((await far.fingerprint()).content).toBe((await near.fingerprint()).content);
    await near.close();
    await far.close();
  });

  it("stop at an entry of a kind that only newer programs know, and at a log of a newer format", async () => {
    const address = newLog("newer");
    const store = await open(address, "newer");
    await store.submit(a.facts("one"));
    postgres.inDatabase(
      "newer",
      "INSERT INTO census_command_log SELECT nextval('census_command_log_seq'), day, gen_random_uuid(), 'snapshot', record FROM census_command_log",
    );
    while (store.problem === undefined) await pause(20);
    expect(store.problem).toContain(`entry 2 of the command log is damaged, or of a kind ("snapshot")`);
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one"]);
    await store.close();
    postgres.inDatabase("newer", "UPDATE census_command_log_state SET format = 2");
    await expect(open(address, "newer")).rejects.toThrow("it has format 2, this program knows format 1");
  });

  it("are refused with a reason if they do not belong to the log", async () => {
    const address = newLog("foreigner");
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
    await expect(open(newLog("another"), "foreign-first")).rejects.toThrow("follows another log");
    await expect(Store.open({ directory: join(folder.path, "foreign-first") })).rejects.toMatchObject({
      code: "bad-file",
    });
  });

  it("notice a log that has lost entries, and store nothing more", async () => {
    const address = newLog("lost");
    const store = await open(address, "lost");
    for (const name of ["one", "two", "three"]) await store.submit(a.facts(name));
    await store.close();
    postgres.inDatabase("lost", "DELETE FROM census_command_log WHERE seq = 3");
    await expect(open(address, "lost")).rejects.toThrow("entry 3, which this server has stored, is missing");
    postgres.inDatabase("lost", "UPDATE census_command_log_state SET forgotten = 5");
    await expect(open(address, "lost")).rejects.toThrow("entries 4 to 5 are not kept any more");
  });

  it("stop at an entry that is damaged, and name it", async () => {
    const address = newLog("damaged");
    const store = await open(address, "damaged");
    await store.submit(a.facts("one"));
    postgres.inDatabase("damaged", "ALTER SEQUENCE census_command_log_seq RESTART WITH 2");
    postgres.inDatabase(
      "damaged",
      "INSERT INTO census_command_log SELECT nextval('census_command_log_seq'), day, gen_random_uuid(), kind, 'CQR1' FROM census_command_log",
    );
    while (store.problem === undefined) await pause(20);
    expect(store.problem).toContain("entry 2 of the command log is damaged");
    expect(await fieldOf(store, "nodes", "certname")).toEqual(["one"]);
    await store.close();
  });

  it("keep entries for some days, and then know that they are gone", async () => {
    const address = newLog("days");
    const store = await open(address, "days");
    await store.submit(a.facts("one"));
    await store.close();
    // As if it had been added five days ago.
    const old = "to_char(now() AT TIME ZONE 'UTC' - interval '5 days', 'YYYYMMDD')";
    postgres.inDatabase(
      "days",
      `DO $$ BEGIN EXECUTE format('CREATE TABLE census_command_log_%s PARTITION OF census_command_log FOR VALUES FROM (%L) TO (%L)',
        ${old}, (now() - interval '5 days')::date, (now() - interval '4 days')::date); END $$`,
    );
    postgres.inDatabase("days", "UPDATE census_command_log SET day = day - 5");
    const again = await open(address, "days");
    expect(postgres.inDatabase("days", "SELECT count(*) FROM census_command_log")).toBe("0");
    expect(postgres.inDatabase("days", "SELECT forgotten FROM census_command_log_state")).toBe("1");
    await again.submit(a.facts("two"));
    await again.close();
    await expect(open(address, "days-new")).rejects.toThrow("entries up to 1 are not kept any more");
  });
});
