import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { DeadLetters } from "#storage/queue/dead-letters.ts";
import { queueFolder } from "#storage/queue/folder.ts";
import { databaseFile } from "#storage/store-database.ts";
import { formatTimestamp, timestampOfMillis } from "#storage/time.ts";

/** The files of a data directory. A server need not run on it. */
export interface DirectoryFigures {
  readonly path: string;
  readonly database_bytes: number;
  /** When the database's file was last written, as a checkpoint does; what came since is in its log. */
  readonly database_written: string;
  readonly database_log_bytes: number;
  /** Bytes of commands that are acknowledged, of which some may have been stored already. */
  readonly queue_bytes: number;
  readonly dead_letters: number;
}

/** @throws CensusError "bad-file" when it is not a data directory */
export async function directoryFigures(path: string): Promise<DirectoryFigures> {
  const database = join(path, databaseFile);
  if (!existsSync(database)) throw new CensusError("bad-file", `${path}: not a data directory of a server`);
  const { size, mtimeMs } = await stat(database);
  const queue = join(path, queueFolder);
  return {
    path,
    database_bytes: size,
    database_written: formatTimestamp(timestampOfMillis(mtimeMs)),
    database_log_bytes: await sizeOf(`${database}.wal`),
    queue_bytes: await sizeOfFiles(join(queue, "commands")),
    dead_letters: (await new DeadLetters(queue).list()).length,
  };
}

/** 0 for a missing file. */
async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function sizeOfFiles(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(folder, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
