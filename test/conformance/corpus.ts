import { join } from "node:path";
import { readGoldens } from "./golden.ts";
import { readLines } from "./ndjson.ts";
import { readObserved } from "./openvoxdb.ts";
import { parseCommandLine, type PopulationCommand } from "./population.ts";
import type { CorpusName, Recording } from "./recording.ts";

/** A recorded population and the recorded answers about it. */
export interface Corpus {
  readonly name: CorpusName;
  /** the point in time, ISO 8601, at which the population is looked at: it decides which nodes are active */
  readonly now: string;
  readonly population: readonly PopulationCommand[];
  readonly recordings: readonly Recording[];
}

interface Source {
  readonly now: string;
  readonly population: readonly [directory: string, file: string];
  readonly read: (oracle: string) => Recording[];
}

const SOURCES: Record<CorpusName, Source> = {
  puppetdb: { now: "2026-11-20T12:30:00Z", population: ["golden", "population.ndjson.gz"], read: readGoldens },
  openvoxdb: { now: "2026-11-20T14:00:00Z", population: ["golden-openvoxdb", "population.jsonl"], read: readObserved },
};

export const CORPUS_NAMES = Object.keys(SOURCES) as CorpusName[];

/**
 * Reads a corpus from the directory of recordings.
 * @throws CensusError (bad-file) when it is not there or holds something else
 */
export function readCorpus(oracle: string, name: CorpusName): Corpus {
  const { now, population, read } = SOURCES[name];
  return {
    name,
    now,
    population: readLines(join(oracle, ...population)).map(parseCommandLine),
    recordings: read(oracle),
  };
}
