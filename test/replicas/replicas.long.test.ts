import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { byLength } from "#test/length.ts";
import { campaign, nothingWrong } from "./campaign.ts";
import { HaProxy } from "./haproxy.ts";
import { isWithoutPatroni, Patroni } from "./patroni.ts";
import { failuresOf } from "./patroni-failures.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

/** Failures in the campaigns; `REPLICA_KILLS=200` for very long ones. */
const failures = Number(process.env["REPLICA_KILLS"] ?? byLength({ short: 2, long: 10 }));
const seed = Number(process.env["REPLICA_SEED"] ?? 1);

const options = { timeout: 600_000 + failures * 40_000 };

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
        failures,
        address: () => postgres.address(),
        ofLog: [
          {
            what: "PostgreSQL",
            strike: async (ms) => {
              await postgres.kill();
              await pause(ms);
              await postgres.restart();
            },
          },
        ],
        head: async () => Number(postgres.sql("SELECT max(seq) FROM census_command_log")),
      });
      expect(found).toMatchObject(nothingWrong);
      expect(found.acknowledged).toBeGreaterThan(failures * 10);
    },
  );

  it.skipIf(isWithoutPatroni("servers that share a log in PostgreSQL under Patroni"))(
    "in PostgreSQL under Patroni lose and repeat nothing that was acknowledged, whatever fails, and are equal afterwards",
    options,
    async () => {
      await using folder = await temporaryFolder();
      await using cluster = await Patroni.start(folder.path);
      await using proxy = await HaProxy.start(folder.path, cluster.members);
      await cluster.reachedBy(proxy.port);
      const found = await campaign({
        folder: folder.path,
        seed,
        failures,
        address: (place) => cluster.address(place === 1 ? proxy.port : undefined),
        ofLog: failuresOf(cluster),
        recovered: async () => cluster.synchronous(),
        head: async () => cluster.head(),
        limit: 60_000,
      });
      expect(found).toMatchObject(nothingWrong);
      expect(found.acknowledged).toBeGreaterThan(failures * 10);
    },
  );
});
