import { existsSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { databaseFile, Store } from "#storage/store.ts";
import { openArchive } from "../opened-archive.ts";
import type { Source } from "./source.ts";

/**
 * The store of an archive or a data directory; the caller closes it.
 * @throws CensusError "bad-file" when there is none, or it cannot be used
 */
export async function openStore({ kind, path, clock }: Exclude<Source, { kind: "url" }>): Promise<Store> {
  if (kind === "archive") return (await openArchive(path, clock)).store;
  // A question must not make a directory.
  if (!existsSync(join(path, databaseFile))) {
    throw new CensusError("bad-file", `${path}: no Census store here; census import and census serve make one`);
  }
  return Store.open({ directory: path, ...(clock === undefined ? {} : { clock }) });
}
