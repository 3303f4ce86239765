import { appendFile, chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Store } from "#storage/store.ts";
import { Database } from "#storage/engine/database.ts";
import { verifyDirectory } from "#storage/verify/verify.ts";
import { a } from "#test/fixture-store.ts";
import { extentsInUse } from "#test/faults/extents.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import {
  all,
  cut,
  damageBlock,
  flip,
  type Left,
  leftBehind,
  named,
  numbersOf,
  opened,
  options,
  report,
} from "./durability/damaged.ts";

/** The database file: three headers of this many bytes, then blocks. */
const HEADER = 4096;
const BLOCK = 262_144;
const headers = [0, HEADER, 2 * HEADER];

/** What is found, a line each. */
async function found(left: Pick<Left, "directory">): Promise<string[]> {
  const { findings } = await verifyDirectory(left.directory);
  return findings.map(({ severity, place, problem }) => `${severity}: ${place}: ${problem}`);
}

/** The first file with commands. */
async function segment({ directory }: Left): Promise<string> {
  const commands = join(directory, "queue", "commands");
  const [name = ""] = await named(commands, "0");
  return join(commands, name);
}

describe("verification of a data directory", () => {
  it("finds no damage after a clean stop and after a crash, and changes nothing", async () => {
    await using left = await leftBehind([{ ...a.facts("broken"), payload: "{" }]);
    const before = await readdir(left.directory, { recursive: true });
    const { findings, read } = await verifyDirectory(left.directory);
    expect(findings).toEqual([]);
    expect(read).toMatchObject({ commands: 7, postponed: 0, deadLetters: 1 });
    expect(read.rows).toBeGreaterThan(10);
    expect(await readdir(left.directory, { recursive: true })).toEqual(before);
    await opened(left);
    expect(await found(left)).toEqual([]);
  });

  it.each<[what: string, damage: (left: Left) => Promise<unknown>, expected: RegExp]>([
    [
      "a block of a table",
      async (left) => {
        await opened(left);
        await damageBlock(left.path, "reports", "hash");
      },
      /^damaged: census\.duckdb: table reports, column hash, rows 0 to \d+: IO Error: Corrupt database file: computed checksum/,
    ],
    [
      "a block whose rows the log deletes",
      async (left) => {
        const database = await Database.open({ path: left.path });
        await database.execute("CREATE TABLE replaced AS SELECT hash(i)::VARCHAR AS text FROM range(5000) AS rows(i)");
        await database.checkpoint();
        await database.execute("DELETE FROM replaced");
        // As after a crash: closing it would write the log into the file.
        const files = await Promise.all([left.path, left.log].map((file) => readFile(file)));
        await database.close();
        for (const [index, file] of [left.path, left.log].entries()) await writeFile(file, files[index] ?? "");
        expect(await found(left)).toEqual([]);
        await damageBlock(left.path, "replaced", "text");
      },
      /^damaged: census\.duckdb: table replaced, column text, rows 0 to \d+ as of the last checkpoint: IO Error: Corrupt/,
    ],
    [
      "a log of the engine",
      ({ log }) => appendFile(log, Buffer.alloc(4096)),
      /^notice: census\.duckdb\.wal: cannot be read: .*Corrupt WAL file/,
    ],
    [
      "a log of the engine by its first bytes",
      ({ log }) => flip(log, 0),
      /^notice: census\.duckdb\.wal: cannot be read: its first bytes are not those of a log/,
    ],
    [
      "commands that are in none of the files",
      async (left) => {
        await rm(await segment(left));
        await rm(left.log);
      },
      /^damaged: queue\/commands: lacks acknowledged commands \(5 to 10\)/,
    ],
    ["a file that is cut off", ({ path }) => cut(path, 0.5), /^damaged: census\.duckdb: is cut off/],
    ["a file that is gone", ({ path }) => rm(path), /^damaged: census\.duckdb: is missing/],
    ["the first bytes of the file", ({ path }) => flip(path, 8), /^damaged: census\.duckdb: is not a database file/],
    [
      "a header of the file",
      ({ path }) => flip(path, 4096 + 24),
      /^damaged: census\.duckdb: cannot be opened: .*checksum/,
    ],
    ["the note", ({ directory }) => writeFile(join(directory, "store.json"), "{"), /^notice: store\.json: is damaged/],
    [
      "a command in the queue",
      async (left) => flip(await segment(left), -100),
      /^damaged: queue\/commands\/0+\d+\.log, bytes \d+ to \d+: do not contain a valid command/,
    ],
    ["the queue", ({ directory }) => rm(join(directory, "queue"), { recursive: true }), /^damaged: queue: is missing/],
    [
      "a postponed command",
      async ({ directory }) => {
        await mkdir(join(directory, "queue", "postponed"), { recursive: true });
        await writeFile(join(directory, "queue", "postponed", "0000000000000001"), "spoilt");
      },
      /^damaged: queue\/postponed\/0+1: contains no valid command/,
    ],
    [
      "what others may read",
      ({ directory }) => chmod(directory, 0o755),
      /^notice: .*: can be read by others than its owner: mode 755/,
    ],
  ])("reports %s", async (_what, damage, expected) => {
    await using left = await leftBehind();
    await damage(left);
    expect(await found(left)).toEqual(expect.arrayContaining([expect.stringMatching(expected)]));
  });

  it("does not report damage of the file where only its log cannot be read", async () => {
    await using left = await leftBehind();
    await appendFile(left.log, Buffer.alloc(4096));
    expect((await found(left)).filter((line) => line.startsWith("damaged"))).toEqual([]);
  });

  it("detects each flipped bit in headers and in blocks with rows", async () => {
    await using left = await leftBehind();
    await opened(left);
    const { size } = await stat(left.path);
    const places = headers.flatMap((at) => [at, at + 8, at + 60, at + HEADER - 1]);
    const extents = (await extentsInUse(left.path)).slice(1);
    for (const [index, { from }] of extents.entries()) {
      const within = [from, from + 8, from + BLOCK / 2, Math.min(size, from + BLOCK) - 1];
      // Each of them takes half a second.
      places.push(...within.slice(index % within.length, (index % within.length) + 1));
    }
    expect(extents.length).toBeGreaterThan(4);
    for (const at of places) {
      await flip(left.path, at);
      expect(await found(left), `byte ${at}`).toContainEqual(expect.stringMatching(/^damaged: census\.duckdb/));
      await flip(left.path, at);
    }
    expect(await found(left)).toEqual([]);
  });

  it("is refused where there is no store", async () => {
    await using folder = await temporaryFolder();
    await expect(verifyDirectory(folder.path)).rejects.toThrow(`${folder.path}: no Census store here`);
  });
});

describe("the documented recovery of a damaged file", () => {
  it("restores the backup and the commands in the queue since then", async () => {
    await using left = await leftBehind();
    const store = await Store.open({ ...options, directory: left.directory });
    await store.submit(report(10));
    const copy = join(left.directory, "..", "backup.duckdb");
    {
      using backup = await store.backup();
      await copyFile(backup.path, copy);
    }
    await store.close();
    await damageBlock(left.path, "reports", "hash");
    expect(await found(left)).toContainEqual(expect.stringMatching(/^damaged: census\.duckdb: table reports/));

    await rename(left.path, `${left.path}.damaged`);
    await copyFile(copy, left.path);
    await chmod(left.path, 0o600);
    await expect(opened(left)).rejects.toThrow("--accept-loss");
    expect((await opened(left, { acceptsLoss: true })).numbers).toEqual([...all, 10]);
    const again = await Store.open({ ...options, directory: left.directory });
    await again.submit(report(11));
    expect(await numbersOf(again)).toEqual([...all, 10, 11]);
    await again.close();
    expect(await found(left)).toEqual([expect.stringMatching(/^notice: census\.duckdb\.damaged: was set aside/)]);
    expect((await stat(left.path)).mode & 0o777).toBe(0o600);
  });
});
