import { writeFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { PostgresLog } from "#storage/queue/replicated/postgres-log.ts";
import { Store } from "#storage/store.ts";
import { fixedClock } from "#storage/time.ts";
import { mountSmallDisk } from "#test/app/durability/small-disk.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { a, fieldOf, NOW } from "#test/fixture-store.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { isWithoutPostgres, Postgres } from "./postgres.ts";

const isWithoutDisks = ((): boolean => {
  using disk = mountSmallDisk(1);
  return isLeftOut("full disks of servers that share a log", disk && undefined, RESTRICTED_MACHINE);
})();

/** Characters of a fact that cannot be compressed much. */
const FACT = 400_000;

/** Fills what is left of a file system. @returns frees it */
function fill(path: string): () => void {
  const file = join(path, "filling");
  const { bavail, bsize } = statfsSync(path);
  writeFileSync(file, Buffer.alloc(bavail * bsize));
  return () => rmSync(file);
}

const open = async (address: string, directory: string): Promise<Store> =>
  Store.open({
    directory,
    clock: fixedClock(NOW),
    commandLog: (store) =>
      PostgresLog.open(store, {
        address: readAddress(address),
        server: { name: directory, version: "0" },
        days: 3,
        settings: {},
        maxOutage: 500,
        onNotice: () => undefined,
      }),
  });

describe.skipIf(isWithoutPostgres("full disks of a shared log") || isWithoutDisks)("a full disk", () => {
  it("of the database refuses commands, none of which is stored, until there is room", async () => {
    await using folder = await temporaryFolder();
    using disk = mountSmallDisk(160);
    if (disk === undefined) throw new Error("no file system");
    await using postgres = await Postgres.start(disk.path);
    const store = await open(postgres.address(), join(folder.path, "store"));
    await store.submit(a.facts("before"));
    const free = fill(disk.path);
    const refused: string[] = [];
    for (let n = 0; refused.length === 0; n++) {
      const name = `during${n}`;
      await store
        .accept({ ...a.facts(name), payload: a.facts(name, { values: { random: randomText() } }).payload })
        .catch((error: unknown) => refused.push(name, String(error)));
    }
    expect(refused[1]).toContain("the command log is out of reach");
    expect(await fieldOf(store, "nodes", "certname", ["=", "certname", "before"])).toEqual(["before"]);
    free();
    while (store.followed?.problem !== undefined) await pause(50);
    await store.submit(a.facts("after"));
    const names = await fieldOf(store, "nodes", "certname");
    expect(names).toContain("after");
    expect(names).not.toContain(refused[0]);
    await store.close();
  });
});

function randomText(): string {
  return Array.from({ length: FACT }, () => String.fromCodePoint(33 + Math.floor(Math.random() * 90))).join("");
}
