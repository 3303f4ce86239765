import { rmSync } from "node:fs";
import { cp, mkdtemp, open, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database } from "#storage/engine/database.ts";
import { Store } from "#storage/store.ts";
import { type StoreOptions } from "#storage/store-options.ts";
import { fixedClock } from "#storage/time.ts";
import { a, NOW, rowsOf, type TextSubmission } from "#test/fixture-store.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

export const options: StoreOptions = { clock: fixedClock(NOW), preparingThreads: 1 };

/** A report of its own for each number, of one of three nodes. */
export function report(number: number): TextSubmission {
  const node = `node-${number % 3}`;
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const minute = String(number % 60).padStart(2, "0");
  const at = { start_time: `2026-11-20T10:${minute}:00Z`, end_time: `2026-11-20T10:${minute}:30Z` };
  const producer = { producer_timestamp: `2026-11-20T10:${minute}:40Z` };
  return a.report(node, { ...at, ...producer, transaction_uuid: uuid, configuration_version: String(number) });
}

/** What a machine has on its disk that went down: some of its commands checkpointed, some in the engine's log alone. */
export interface Left extends AsyncDisposable {
  readonly directory: string;
  /** The database file. */
  readonly path: string;
  /** The engine's log. */
  readonly log: string;
}

/** What {@link leftBehind} copies where nothing else was stored; made at its first call. */
let template: Promise<string> | undefined;

/** Stores reports 0 to 3, has them checkpointed, stores 4 to 9 and leaves; each time a store of the same identity. */
export async function leftBehind(more: readonly TextSubmission[] = []): Promise<Left> {
  const folder = await temporaryFolder();
  const directory = join(folder.path, "data");
  if (more.length > 0) await leave(directory, more);
  else {
    template ??= makeTemplate();
    await cp(await template, directory, { recursive: true });
  }
  const path = join(directory, "census.duckdb");
  return { directory, path, log: `${path}.wal`, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "census-left-"));
  // When the process ends, for other files of tests may use it as well.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await leave(join(folder, "data"), []);
  return join(folder, "data");
}

/** Leaves a directory as a machine has it that went down. @param directory is made */
async function leave(directory: string, more: readonly TextSubmission[]): Promise<void> {
  const before = `${directory}.before`;
  const store = await Store.open({ ...options, directory: before });
  for (let number = 0; number < 4; number++) await store.submit(report(number));
  await store.rest({ isLong: false });
  for (let number = 4; number < 10; number++) await store.submit(report(number));
  for (const command of more) await store.submit(command).catch(() => undefined);
  await cp(before, directory, { recursive: true });
  await store.close();
  await rm(before, { recursive: true });
}

/** Numbers of the reports that a directory's store has, and what it said when it was opened. */
export async function opened(
  { directory }: Pick<Left, "directory">,
  others: Partial<StoreOptions> = {},
): Promise<{ numbers: number[]; notices: string[] }> {
  const notices: string[] = [];
  const store = await Store.open({ ...options, ...others, directory, onNotice: (text) => notices.push(text) });
  try {
    // Commands are dealt with in their order: when this one has been, all that were left have.
    await store.submit(a.facts("last"));
    return { numbers: await numbersOf(store), notices };
  } finally {
    await store.close();
  }
}

export async function numbersOf(store: Store): Promise<number[]> {
  const rows = await rowsOf(store, "reports");
  return rows.map((row) => Number(row["configuration_version"])).sort((a, b) => a - b);
}

export const all: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Changes one bit of a file. @param at where; less than 0: from its end */
export async function flip(path: string, at: number): Promise<void> {
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const place = at < 0 ? size + at : at;
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, place);
  byte[0] = (byte[0] ?? 0) ^ 1;
  await file.write(byte, 0, 1, place);
}

/** Keeps this part of a file's bytes. */
export async function cut(path: string, part: number): Promise<void> {
  await truncate(path, Math.floor((await stat(path)).size * part));
}

/** Names in a folder that begin so. */
export async function named(folder: string, beginning: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(beginning)).sort();
}

/** Damages a block with values of a column, as of the last checkpoint of a store that is closed. */
export async function damageBlock(path: string, table: string, column: string): Promise<void> {
  const database = await Database.open({ path, readOnly: true, threads: 1 });
  const rows = await database.rows<{ block: number }>(
    `SELECT block_id::INTEGER AS block FROM pragma_storage_info('${table}')
      WHERE column_name = '${column}' AND block_id >= 0 AND segment_type <> 'VALIDITY' ORDER BY block_id DESC LIMIT 1`,
  );
  await database.close();
  const [last] = rows;
  if (last === undefined) throw new Error(`${table}.${column} has no block`);
  // Three headers of 4096 bytes, then blocks of 256 KiB.
  await flip(path, 3 * 4096 + last.block * 262_144 + 1000);
}
