import { CensusError, messageOf } from "../errors.ts";
import type { Accepted } from "../queue/processing.ts";
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
  let all = 0;
  for await (const _ of readArchive(path)) all++;
  const outstanding: Promise<Accepted>[] = [];
  let count = 0;
  const settled = async (): Promise<void> => {
    for (const result of await Promise.allSettled(outstanding.splice(0))) {
      if (result.status === "fulfilled") count++;
      else refusal ??= result.reason;
    }
    if (refusal === undefined) return;
    const part = count === 0 ? "none" : `${count} of ${all}`;
    throw new CensusError(
      refusal instanceof CensusError ? refusal.code : "unavailable",
      `${part} of the archive's commands were accepted; to send it again does no harm: ${messageOf(refusal)}`,
      { cause: refusal },
    );
  };
  let refusal: unknown;
  for await (const { command, version, certname, payload } of readArchive(path)) {
    const accepted = store.accept({ command, version, certname, payload, received: store.clock.now() });
    // What fails is thrown when its turn to be waited for has come.
    accepted.catch(() => undefined);
    outstanding.push(accepted);
    if (outstanding.length >= OUTSTANDING) await settled();
  }
  await settled();
  return count;
}
