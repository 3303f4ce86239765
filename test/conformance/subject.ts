import { CensusError } from "#storage/errors.ts";
import { startService } from "#app/service.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import type { World } from "./world.ts";
import { loadPopulation } from "./population.ts";
import { openClient } from "./request.ts";

/** A server with the population of a world. */
export interface Subject {
  readonly url: string;
  /** a line for every command of the population that was not stored */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts Census in this process, in memory, its clock fixed at the world's time, and sends it the population.
 * @throws CensusError when the world's time is none
 */
export async function openSubject({ now: moment, retention, population }: World): Promise<Subject> {
  const now = parseTimestamp(moment);
  if (now === undefined) throw new CensusError("bad-input", `no timestamp: ${moment}`);
  const clock = fixedClock(now);
  const store = await Store.open({ clock, ...(retention === undefined ? {} : { retention }) });
  const service = await startService({ store });
  const client = openClient(service.url);
  try {
    const refused = await loadPopulation(client, population);
    return {
      url: service.url,
      refused,
      close: async () => {
        await service.close();
        await store.close();
      },
    };
  } finally {
    client.close();
  }
}

/** A server that runs already and contains the population. */
export function runningSubject(url: string): Subject {
  return { url, refused: [], close: () => Promise.resolve() };
}
