import { CensusError } from "#storage/errors.ts";
import { startService } from "#app/service.ts";
import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import type { Corpus } from "./corpus.ts";
import { loadPopulation } from "./population.ts";
import { openClient } from "./request.ts";

/** A server that holds a corpus' population. */
export interface Subject {
  readonly url: string;
  /** a line for every command of the population that was not taken in */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts Census in this process, in memory, its clock standing at the corpus' time, and sends it the population.
 * @throws CensusError when the corpus' time is none
 */
export async function openSubject(corpus: Corpus): Promise<Subject> {
  const now = parseTimestamp(corpus.now);
  if (now === undefined) throw new CensusError("bad-input", `no timestamp: ${corpus.now}`);
  const clock = fixedClock(now);
  const store = await Store.open({ clock });
  const service = await startService({ store });
  const client = openClient(service.url);
  try {
    const refused = await loadPopulation(client, corpus.population);
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

/** A server that runs already and holds the population. */
export function runningSubject(url: string): Subject {
  return { url, refused: [], close: () => Promise.resolve() };
}
