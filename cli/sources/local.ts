import { existsSync } from "node:fs";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { openStore as openStoreIn } from "#storage/open.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { openArchive } from "./archive.ts";
import type { SourceChoice } from "./choice.ts";

/**
 * The store of an archive or a data directory, for reading; the caller closes it.
 * @throws CensusError "bad-file" when it does not exist or cannot be used
 */
export async function openStore(choice: Exclude<SourceChoice, { kind: "url" }>): Promise<Store> {
  const { kind, path, clock } = choice;
  if (kind === "archive") return (await openArchive(path, choice)).store;
  if (!existsSync(join(path, databaseFile))) {
    throw new CensusError("bad-file", `${path}: no Census store found; create one with census import or census serve`);
  }
  return openStoreIn({ directory: path, readOnly: true, ...(clock === undefined ? {} : { clock }) });
}
