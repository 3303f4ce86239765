import type { Submission } from "../ingest/submission.ts";
import type { Store } from "../store.ts";
import { readArchive } from "./contents.ts";

/**
 * Adds every command of an archive to a store's queue, or none: they are added once the archive has been read
 * completely. They are stored afterwards.
 * @returns the number of commands
 * @throws CensusError "bad-file" for an invalid archive, "unavailable" when the queue cannot accept them
 */
export async function enqueueArchive(store: Store, path: string): Promise<number> {
  return store.acceptAll(submissionsIn(store, path));
}

async function* submissionsIn(store: Store, path: string): AsyncGenerator<Submission, void> {
  for await (const { command, version, certname, payload } of readArchive(path)) {
    yield { command, version, certname, payload, received: store.clock.now() };
  }
}
