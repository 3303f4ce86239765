import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { lastEntry } from "#storage/queue/jetstream/messages.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { campaign, nothingWrong } from "./campaign.ts";
import { HaProxy } from "./haproxy.ts";
import { isWithoutNats, Nats } from "./nats.ts";
import { isWithoutPatroni, Patroni } from "./patroni.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

/** Kills in the campaigns; `REPLICA_KILLS=200` for a long one. */
const kills = Number(process.env["REPLICA_KILLS"] ?? 4);
const seed = Number(process.env["REPLICA_SEED"] ?? 1);

const options = { timeout: 120_000 + kills * 30_000 };

describe("three servers that share a log", () => {
  it.skipIf(isWithoutPostgres("servers that share a log in PostgreSQL"))(
    "in PostgreSQL lose and repeat nothing that was acknowledged, whichever process is killed, and are equal afterwards",
    options,
    async () => {
      await using folder = await temporaryFolder();
      await using postgres = await Postgres.start(folder.path);
      const found = await campaign({
        folder: folder.path,
        seed,
        kills,
        logsTurn: 1,
        address: () => postgres.address(),
        killLog: async (ms) => {
          await postgres.kill();
          await pause(ms);
          await postgres.restart();
        },
        head: async () => Number(postgres.sql("SELECT max(seq) FROM census_command_log")),
      });
      expect(found).toMatchObject(nothingWrong);
      expect(found.acknowledged).toBeGreaterThan(kills * 10);
    },
  );

  it.skipIf(isWithoutNats("servers that share a log in JetStream"))(
    "in a JetStream cluster lose and repeat nothing that was acknowledged, whichever process is killed, and are equal afterwards",
    options,
    async () => {
      await using folder = await temporaryFolder();
      await using nats = await Nats.start(folder.path, 3);
      const address = nats.address("campaign");
      const found = await campaign({
        folder: folder.path,
        seed,
        kills,
        logsTurn: 1,
        address: () => address,
        killLog: async (ms) => {
          await nats.kill(await nats.leaderOf("campaign"));
          await pause(ms);
          await nats.restart();
        },
        head: () => nats.connected("campaign", (connection) => lastEntry(connection, readAddress(address))),
      });
      expect(found).toMatchObject(nothingWrong);
      expect(found.acknowledged).toBeGreaterThan(kills * 10);
    },
  );

  it.skipIf(isWithoutPatroni("servers that share a log in PostgreSQL under Patroni"))(
    "in PostgreSQL under Patroni lose and repeat nothing that was acknowledged, however its primary fails, and are equal afterwards",
    options,
    async () => {
      await using folder = await temporaryFolder();
      await using cluster = await Patroni.start(folder.path);
      await using proxy = await HaProxy.start(folder.path, cluster.members);
      const count = Math.ceil(kills / 2);
      let number = 0;
      const found = await campaign({
        folder: folder.path,
        seed,
        kills: count,
        logsTurn: "always",
        address: (place) => cluster.address(place === 1 ? proxy.port : undefined),
        killLog: (ms) => cluster.failPrimary(number++, ms),
        head: async () => cluster.head(),
        limit: 60_000,
      });
      expect(found).toMatchObject(nothingWrong);
      expect(found.acknowledged).toBeGreaterThan(count * 10);
      expect(Math.max(...found.slowest)).toBeLessThan(30_000);
    },
  );
});
