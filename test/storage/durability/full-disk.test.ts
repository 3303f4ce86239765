import { randomBytes } from "node:crypto";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { Store } from "#storage/store.ts";
import { mountSmallDisk } from "#test/app/durability/small-disk.ts";
import { a, rowsOf } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { options } from "./damaged.ts";

const MEGABYTE = 1024 * 1024;
const disk = mountSmallDisk(12);

/** Fills a file until the disk has this number of bytes left. */
function fill(path: string, left: number): void {
  try {
    for (let size = 0; ; size += 4096) writeFileSync(path, Buffer.alloc(4096, 1), { flag: size === 0 ? "w" : "a" });
  } catch {
    truncateSync(path, Math.max(0, (12 * MEGABYTE - left) & ~4095));
  }
}

describe.skipIf(disk === undefined)("a disk that is full", () => {
  it("at the first start is reported as such, and does not prevent a later start", async () => {
    using small = disk;
    if (small === undefined) return;
    const [directory, ballast] = [join(small.path, "data"), join(small.path, "ballast")];
    for (const left of [0, 4096, 8192, 16_384, 65_536, 131_072, 262_144]) {
      fill(ballast, left);
      const opening = Store.open({ ...options, directory });
      await opening.then(
        (store) => store.close(),
        (error: unknown) => {
          expect(error).toMatchObject({ name: "CensusError", message: expect.stringMatching(/No space left|ENOSPC/) });
        },
      );
      rmSync(ballast);
      const store = await Store.open({ ...options, directory });
      await store.submit(a.facts("node"));
      // A backup without enough disk space is refused with the reason, and does no damage.
      fill(ballast, 262_144);
      await expect(store.backup()).rejects.toThrow(
        /^the backup cannot be written: .*(?:No space left|ENOSPC).*; free disk space, then try again$/,
      );
      expect(await rowsOf(store, "factsets")).toHaveLength(1);
      rmSync(ballast);
      {
        using backup = await store.backup();
        expect(backup.bytes).toBeGreaterThan(0);
      }
      await store.close();
      rmSync(directory, { recursive: true });
    }
  });
});

async function* submissions(count: number) {
  for (let n = 0; n < count; n++) yield a.facts(`node-${n}`, { values: { text: randomBytes(50_000).toString("hex") } });
}

describe("an archive that is too large for the disk", () => {
  it("is refused as a whole, and accepted once there is disk space", async () => {
    using small = mountSmallDisk(12);
    if (small === undefined) return;
    const store = await Store.open({ ...options, directory: join(small.path, "data") });
    await expect(store.acceptAll(submissions(200))).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/^no command was accepted: .*ENOSPC.*; free disk space, then try again$/),
    });
    expect(store.queueDepth).toBe(0);
    expect(await store.acceptAll(submissions(5))).toBe(5);
    await store.submit(a.facts("last"));
    expect(await rowsOf(store, "factsets")).toHaveLength(6);
    await store.close();
  });
});

it("a file that a first start did not finish is created again; one that may contain data is not", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "census.duckdb");
  const database = await Database.open({ path, threads: 1 });
  await database.execute("CREATE TABLE t (i INTEGER)");
  await database.close();
  truncateSync(path, 2048);
  const store = await Store.open({ ...options, directory: folder.path });
  await store.submit(a.facts("node"));
  await store.close();
  rmSync(join(folder.path, "store.json"));
  truncateSync(path, 2048);
  await expect(Store.open({ ...options, directory: folder.path })).rejects.toThrow("is cut off");
});
