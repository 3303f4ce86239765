import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/jetstream/address.ts";
import { lastEntry } from "#storage/queue/jetstream/messages.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { campaign, nothingWrong } from "./campaign.ts";
import { isWithoutNats, Nats } from "./nats.ts";
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
        address: postgres.address(),
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
        address,
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
});
