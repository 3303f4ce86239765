import type { Accepted } from "../ingest/processor.ts";
import type { Store } from "../store.ts";
import { readArchive } from "./contents.ts";

/** So many commands are on their way to the queue at a time: they become durable together. */
const OUTSTANDING = 64;

/**
 * Puts every command of an archive into a store's queue, where it is as safe as one that was submitted; storing follows.
 * The archive is read to its end beforehand: of one that is damaged nothing is taken.
 * @returns how many there were
 * @throws CensusError "bad-file" for what is no sound archive, "unavailable" when the queue cannot keep them
 */
export async function enqueueArchive(store: Store, path: string): Promise<number> {
  // The last member is the only proof that there is nothing wrong with one before it.
  for await (const _ of readArchive(path)) continue;
  const outstanding: Promise<Accepted>[] = [];
  let count = 0;
  for await (const { command, version, certname, payload } of readArchive(path)) {
    const accepted = store.accept({ command, version, certname, payload, received: store.clock.now() });
    // What fails is thrown when its turn to be waited for has come.
    accepted.catch(() => undefined);
    outstanding.push(accepted);
    count++;
    if (outstanding.length >= OUTSTANDING) await Promise.all(outstanding.splice(0));
  }
  await Promise.all(outstanding);
  return count;
}
