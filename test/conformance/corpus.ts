import { join } from "node:path";
import { readGoldens } from "./golden.ts";
import { readLines } from "./ndjson.ts";
import { readObserved } from "./openvoxdb.ts";
import { parseCommandLine, type PopulationCommand } from "./population.ts";
import type { CorpusName, Recording } from "./recording.ts";
import { readTestSuite } from "./test-suite.ts";
import type { World } from "./world.ts";

/** Recorded answers of one origin: one population, or several that are loaded into a server each. */
export interface Corpus {
  readonly name: CorpusName;
  readonly worlds: readonly World[];
}

const READERS: Record<CorpusName, (oracle: string) => World[]> = {
  puppetdb: (oracle) => [
    {
      now: "2026-11-20T12:30:00Z",
      population: readPopulation(join(oracle, "golden", "population.ndjson.gz")),
      recordings: readGoldens(oracle),
    },
  ],
  openvoxdb: (oracle) => [
    {
      now: "2026-11-20T14:00:00Z",
      population: readPopulation(join(oracle, "golden-openvoxdb", "population.jsonl")),
      recordings: readObserved(oracle),
    },
  ],
  "puppetdb-tests": (oracle) => readTestSuite(join(oracle, "corpus-8.8")),
};

export const CORPUS_NAMES = Object.keys(READERS) as CorpusName[];

/**
 * Reads a corpus from the directory of recordings.
 * @throws CensusError (bad-file) when it is not there or holds something else
 */
export function readCorpus(oracle: string, name: CorpusName): Corpus {
  return { name, worlds: READERS[name](oracle) };
}

/** All recordings of a corpus, in the order in which they are judged. */
export function recordingsOf({ worlds }: Corpus): Recording[] {
  return worlds.flatMap(({ recordings }) => recordings);
}

function readPopulation(file: string): PopulationCommand[] {
  return readLines(file).map(parseCommandLine);
}
