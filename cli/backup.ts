import { createReadStream, createWriteStream, existsSync, renameSync, rmSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { CensusError, messageOf } from "#storage/errors.ts";
import { Store } from "#storage/store.ts";
import { oneLine } from "./errors.ts";
import type { ServiceArguments } from "./sources/contact-options.ts";
import { oneServer } from "./sources/contact.ts";
import { nameOf, send } from "./sources/http.ts";
import { checkHasStore } from "./sources/local.ts";
import { unfinished } from "./unfinished.ts";

/**
 * Writes a backup made by a server to a file.
 * @returns bytes
 * @throws CensusError "bad-file" when the file exists already, or the server cannot be reached or its response is
 *   incomplete
 */
export async function backUpServer(args: ServiceArguments, file: string): Promise<number> {
  refuseExisting(file);
  const { url, response } = await send(await oneServer(args), { path: "/pdb/admin/v1/backup" });
  if (response.statusCode !== 200) {
    const message = oneLine(await text(response));
    throw new CensusError("bad-file", `${nameOf(url)}: backup failed: ${message} (HTTP ${response.statusCode})`);
  }
  return writeBackup(response, Number(response.headers["content-length"]), file);
}

/**
 * Backs up the store of a data directory that no process has open.
 * @returns bytes
 * @throws CensusError "bad-file" when the file is there already, or the store cannot be opened as it is
 */
export async function backUpDirectory(directory: string, file: string): Promise<number> {
  refuseExisting(file);
  checkHasStore(directory);
  const store = await Store.open({
    directory,
    mayMigrate: false,
    onNotice: (text) => process.stderr.write(`census: ${oneLine(text)}\n`),
  });
  try {
    using copy = await store.backup();
    return await writeBackup(createReadStream(copy.path), copy.bytes, file);
  } finally {
    await store.close();
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new CensusError("bad-file", `${file}: already exists; choose another name`);
}

/** The file gets its final name when it is complete and on disk. */
async function writeBackup(content: Readable, bytes: number, file: string): Promise<number> {
  const path = `${file}.part`;
  const finished = unfinished(path);
  try {
    await pipeline(content, createWriteStream(path, { mode: 0o600, flush: true }));
    const written = statSync(path).size;
    if (written !== bytes) throw new Error(`received ${written} of ${bytes} bytes`);
    renameSync(path, file);
    return bytes;
  } catch (error) {
    rmSync(path, { force: true });
    throw new CensusError("bad-file", `${file}: cannot be written: ${messageOf(error)}`, { cause: error });
  } finally {
    finished();
  }
}
