import { existsSync } from "node:fs";
import { join } from "node:path";
import type { DocumentKind } from "#storage/archive/document-kinds.ts";
import { CensusError } from "#storage/errors.ts";
import { openStore as openStoreIn } from "#storage/open.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import type { Clock } from "#storage/time.ts";
import { ArchiveParts } from "./archive-parts.ts";
import type { SourceChoice } from "./choice.ts";

/** An archive or a data directory that is read. */
export interface OpenPlace {
  /** A store with the content of these kinds of documents, which is closed with the place. */
  readonly having: (kinds: Iterable<DocumentKind>) => Promise<Store>;
  readonly clock: () => Promise<Clock>;
  readonly close: () => Promise<void>;
}

/**
 * Opens an archive or a data directory for reading.
 * @param kinds of documents of an archive that will be read, if that is known before
 * @throws CensusError "bad-file" for a directory that does not exist or cannot be used, or an archive that is read at once
 */
export async function openStore(
  { kind, path, clock, ...choice }: Exclude<SourceChoice, { kind: "url" }>,
  kinds?: Iterable<DocumentKind>,
): Promise<OpenPlace> {
  if (kind === "archive") {
    const parts = new ArchiveParts(path, clock, !("cached" in choice) || choice.cached, kinds);
    // What is known to be needed is imported at once, so that its errors are those of opening.
    if (kinds !== undefined) await parts.having(kinds);
    return { having: (more) => parts.having(more), clock: () => parts.clock(), close: () => parts.close() };
  }
  if (!existsSync(join(path, databaseFile))) {
    throw new CensusError("bad-file", `${path}: no Census store found; create one with census import or census serve`);
  }
  const store = await openStoreIn({ directory: path, readOnly: true, ...(clock === undefined ? {} : { clock }) });
  return {
    having: () => Promise.resolve(store),
    clock: () => Promise.resolve(store.clock),
    close: () => store.close(),
  };
}
