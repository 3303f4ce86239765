import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { PostgresLog } from "#storage/queue/replicated/postgres-log.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW } from "#test/fixture-store.ts";
import { isWithoutPostgres, Postgres } from "#test/replicas/postgres.ts";
import { Proxy } from "#test/replicas/proxy.ts";

async function open(address: string, directory: string): Promise<Store> {
  return Store.open({
    directory,
    clock: fixedClock(NOW),
    commandLog: (store) =>
      PostgresLog.open(store, {
        address: readAddress(address),
        server: { name: directory, version: "0" },
        days: 3,
        settings: {},
        onNotice: () => undefined,
      }),
  });
}

async function names(store: Store): Promise<unknown[]> {
  return (await fieldOf(store, "nodes", "certname")).toSorted();
}

/** Lets commits wait for a standby, or not. @param name of a standby; empty: none */
async function requireStandby(postgres: Postgres, name: string): Promise<void> {
  postgres.sql(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  postgres.sql("SELECT pg_reload_conf()");
  // All of its processes have to read it.
  await pause(500);
}

describe.skipIf(isWithoutPostgres("a log in a cluster of PostgreSQL servers"))(
  "a log in a cluster of PostgreSQL servers",
  // Each with a cluster of its own; they mostly wait.
  { concurrent: true },
  () => {
    it("has neither acknowledged nor stored what no standby has, after its server was killed as well", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const [one, other] = [
        await open(postgres.address(), join(folder.path, "one")),
        await open(postgres.address(), join(folder.path, "other")),
      ];
      await one.submit(a.facts("before"));
      while ((other.followed?.position ?? 0) < 1) await pause(10);
      await requireStandby(postgres, "absent");
      let isAcknowledged = false;
      const accepted = one.accept(a.facts("unreplicated")).then(() => (isAcknowledged = true));
      await pause(1000);
      // After that, the entry is visible, without any standby.
      await postgres.kill();
      await postgres.restart();
      expect(postgres.sql("SELECT max(seq) FROM census_command_log")).toBe("2");
      await pause(5000);
      expect(isAcknowledged).toBe(false);
      for (const store of [one, other]) expect(await names(store)).toEqual(["before"]);
      await requireStandby(postgres, "");
      await accepted;
      for (const store of [one, other]) {
        while ((await names(store)).length < 2) await pause(50);
        expect(await names(store)).toEqual(["before", "unreplicated"]);
        await store.close();
      }
    });

    it("keeps one connection waiting for a standby, however long", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const store = await open(postgres.address(), join(folder.path, "one"));
      await store.submit(a.facts("before"));
      await requireStandby(postgres, "absent");
      const accepted = store.accept(a.facts("waiting"));
      await pause(20_000);
      expect(postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")).toBe("1");
      await requireStandby(postgres, "");
      await accepted;
      expect(await names(store)).toEqual(["before", "waiting"]);
      await store.close();
    });

    it("has not acknowledged a command whose wait for a standby somebody has cancelled", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const store = await open(postgres.address(), join(folder.path, "one"));
      await store.submit(a.facts("before"));
      await requireStandby(postgres, "absent");
      let isAcknowledged = false;
      const accepted = store.accept(a.facts("cancelled")).then(() => (isAcknowledged = true));
      await pause(500);
      const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      expect(postgres.sql(`SELECT pg_cancel_backend(pid) ${waiting}`)).toBe("t");
      await pause(1500);
      expect(isAcknowledged).toBe(false);
      await requireStandby(postgres, "");
      await accepted;
      expect(postgres.sql("SELECT count(*) FROM census_command_log")).toBe("2");
      await store.close();
    });

    it("is that of the server that has taken over, where the one before runs on", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const first = await open(postgres.address(), join(folder.path, "one"));
      await first.submit(a.facts("before"));
      await first.close();
      await postgres.kill();
      const parent = join(folder.path, "successor");
      mkdirSync(parent);
      await using successor = await postgres.successor(parent);
      await postgres.restart();
      const address = postgres.address().replace("/postgres", `,127.0.0.1:${successor.port}/postgres`);
      const store = await open(address, join(folder.path, "one"));
      await store.submit(a.facts("after"));
      expect(successor.sql("SELECT count(*) FROM census_command_log")).toBe("2");
      expect(postgres.sql("SELECT count(*) FROM census_command_log")).toBe("1");
      await store.close();
    });

    it("is not that of an earlier server to which a proxy leads again", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const parent = join(folder.path, "successor");
      mkdirSync(parent);
      await postgres.kill();
      await using successor = await postgres.successor(parent);
      await postgres.restart();
      await using proxy = await Proxy.start(successor.port);
      const store = await open(postgres.address(proxy.port), join(folder.path, "one"));
      await store.submit(a.facts("before"));
      proxy.target = postgres.port;
      proxy.cut();
      let isAcknowledged = false;
      const accepted = store.accept(a.facts("after")).then(() => (isAcknowledged = true));
      await pause(3000);
      expect(isAcknowledged).toBe(false);
      expect(store.followed?.problem).toContain("another server has taken over");
      expect(postgres.sql("SELECT to_regclass('census_command_log') IS NULL")).toBe("t");
      proxy.target = successor.port;
      await accepted;
      expect(await names(store)).toContain("before");
      expect(successor.sql("SELECT count(*) FROM census_command_log")).toBe("2");
      await store.close();
    });

    it("is followed to the server that takes over, whether commands are sent or not", async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const parent = join(folder.path, "successor");
      mkdirSync(parent);
      const seed = await open(postgres.address(), join(folder.path, "seed"));
      await seed.submit(a.facts("before"));
      await seed.close();
      await postgres.kill();
      await using successor = await postgres.successor(parent);
      await successor.kill();
      await postgres.restart();
      // From now on it waits for the standby that takes over.
      const address = postgres.address().replace("/postgres", `,127.0.0.1:${successor.port}/postgres`);
      const [one, idle] = [
        await open(address, join(folder.path, "one")),
        await open(address, join(folder.path, "idle")),
      ];
      await requireStandby(postgres, "successor");
      await successor.restart();
      await one.submit(a.facts("after"));
      while ((await names(idle)).length < 2) await pause(50);
      expect(await names(idle)).toEqual(["after", "before"]);
      expect(successor.sql("SELECT count(*) FROM census_command_log")).toBe("2");
      const servers = `SELECT count(*) FROM census_command_log_servers WHERE position = ${idle.followed?.position}`;
      while (successor.sql(servers) !== "2") await pause(50);
      await one.close();
      await idle.close();
    });
  },
);
