import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { savedBlocksEnding, tornBlocks } from "#storage/engine/saved-blocks.ts";
import { verifyDirectory } from "#storage/verify/verify.ts";

const [HEADERS, BLOCK, PAGE] = [12_288, 262_144, 4096];
const TABLES = 20;

const folder = mkdtempSync(join(tmpdir(), "census-saved-blocks-"));
const path = join(folder, "census.duckdb");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The file before a checkpoint and after it, and the copies that were made for it. */
let before: Buffer;
let after: Buffer;
let copies: Buffer;
/** The file as a crash leaves it that happens while the checkpoint writes a block over another one. */
let torn: Buffer;
let block: number;

beforeAll(async () => {
  const database = await Database.open({ path });
  for (let table = 0; table < TABLES; table++) {
    await database.execute(`CREATE TABLE t${table} AS SELECT i, hash(i)::VARCHAR AS text FROM range(100) AS rows(i)`);
  }
  await database.checkpoint();
  for (let round = 0; round < 4; round++) {
    before = readFileSync(path);
    await database.execute(`INSERT INTO t${round} SELECT i, hash(i)::VARCHAR FROM range(50) AS rows(i)`);
    await database.checkpoint();
  }
  await database.close();
  after = readFileSync(path);
  copies = readFileSync(path + savedBlocksEnding);
  ({ block, torn } = tear(before, after));
});

/** Writes a block of `to` into `from`, except for its last page that differs. */
function tear(from: Buffer, to: Buffer): { block: number; torn: Buffer } {
  for (let number = 0; HEADERS + (number + 1) * BLOCK <= from.length; number++) {
    const at = HEADERS + number * BLOCK;
    const pages = Array.from({ length: BLOCK / PAGE }, (_, index) => at + index * PAGE).filter((page) => {
      return !from.subarray(page, page + PAGE).equals(to.subarray(page, page + PAGE));
    });
    const last = pages.at(-1);
    if (last === undefined || pages.length < 2) continue;
    const file = Buffer.from(from);
    to.copy(file, at, at, last);
    return { block: number, torn: file };
  }
  throw new Error("the checkpoint has changed no block in place");
}

async function rowsIn(file: string, onRestored?: (blocks: readonly number[]) => void): Promise<unknown> {
  const database = await Database.open({ path: file, onRestored });
  try {
    const all = Array.from({ length: TABLES }, (_, table) => `SELECT text FROM t${table}`).join(" UNION ALL ");
    return await database.rows(`SELECT count(*)::INTEGER AS count, count(text)::INTEGER AS texts FROM (${all})`);
  } finally {
    await database.close();
  }
}

/** A directory with a file and perhaps copies. */
function place(file: Buffer, saved?: Buffer): string {
  const directory = mkdtempSync(join(folder, "place-"));
  writeFileSync(join(directory, "census.duckdb"), file);
  if (saved !== undefined) writeFileSync(join(directory, `census.duckdb${savedBlocksEnding}`), saved);
  return join(directory, "census.duckdb");
}

/** All tables, and the rows that were added before the last checkpoint. */
const count = TABLES * 100 + 3 * 50;

describe("a block that a checkpoint has written in part", () => {
  it("makes the file unreadable without its copy", async () => {
    await expect(rowsIn(place(torn))).rejects.toThrow("checksum");
  });

  it("is restored when the file is opened", async () => {
    const file = place(torn, copies);
    expect(tornBlocks(file)).toEqual([block]);
    const restored: (readonly number[])[] = [];
    expect(await rowsIn(file, (blocks) => restored.push(blocks))).toEqual([{ count, texts: count }]);
    expect(restored).toEqual([[block]]);
    expect(tornBlocks(file)).toEqual([]);
    expect(await rowsIn(file)).toEqual([{ count, texts: count }]);
  });

  it("is reported by census verify, with the remedy", async () => {
    const file = place(torn, copies);
    const { findings } = await verifyDirectory(join(file, ".."));
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: "damaged",
        problem: expect.stringContaining(`are damaged: ${block}`) as string,
        remedy: expect.stringContaining("start the service") as string,
      }),
    );
    expect(readFileSync(file).equals(torn)).toBe(true);
  });

  it("is not replaced by a copy that is damaged itself, or cut off", async () => {
    const damaged = Buffer.from(copies);
    damaged.writeUInt8(damaged.readUInt8(copies.length - 1000) ^ 1, copies.length - 1000);
    for (const bad of [damaged, copies.subarray(0, copies.length - 1), copies.subarray(0, 10), Buffer.alloc(0)]) {
      await expect(rowsIn(place(torn, bad))).rejects.toThrow("checksum");
    }
  });
});

describe("copies of blocks", () => {
  it("do not change a file whose checkpoint came to its end, damaged or not", async () => {
    const whole = place(after, copies);
    expect(await rowsIn(whole)).toEqual([{ count: count + 50, texts: count + 50 }]);
    const damaged = Buffer.from(after);
    damaged.fill(0, HEADERS + block * BLOCK, HEADERS + block * BLOCK + PAGE);
    const file = place(damaged, copies);
    expect(tornBlocks(file)).toEqual([]);
    await expect(rowsIn(file)).rejects.toThrow("checksum");
  });

  it("do not change a file whose checkpoint wrote nothing, or whole blocks only", async () => {
    for (const file of [place(before, copies), place(withWhole(), copies)]) {
      expect(tornBlocks(file)).toEqual([]);
      expect(await rowsIn(file)).toEqual([{ count, texts: count }]);
    }
  });

  it("are private to the owner of the data directory", () => {
    expect(statSync(path + savedBlocksEnding).mode & 0o077).toBe(0);
  });
});

/** The file after a kill between the blocks of a checkpoint and its header. */
function withWhole(): Buffer {
  const file = Buffer.from(before);
  const at = HEADERS + block * BLOCK;
  after.copy(file, at, at, at + BLOCK);
  return file;
}
