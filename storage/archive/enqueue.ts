import type { Submission } from "../ingest/submission.ts";
import type { Store } from "../store.ts";
import { readArchive } from "./contents.ts";

/**
 * Puts every command of an archive into a store's queue, or none of them: they are part of it when the archive has been read
 * to its end. Storing follows.
 * @returns how many there were
 * @throws CensusError "bad-file" for what is no sound archive, "unavailable" when the queue cannot keep them
 */
export async function enqueueArchive(store: Store, path: string): Promise<number> {
  return store.acceptAll(submissionsIn(store, path));
}

async function* submissionsIn(store: Store, path: string): AsyncGenerator<Submission, void> {
  for await (const { command, version, certname, payload } of readArchive(path)) {
    yield { command, version, certname, payload, received: store.clock.now() };
  }
}
