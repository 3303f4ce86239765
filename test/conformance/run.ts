/**
 * Compares Census' answers with recorded ones: `npm run conformance`. Exits with 0; with 1 when `--at-least` is missed
 * or a population was not stored; with 2 when the options or the recordings cannot be used.
 */
import { existsSync, writeFileSync } from "node:fs";
import { CensusError } from "#storage/errors.ts";
import { readCorpus, recordingsOf } from "./corpus.ts";
import { judgeCorpus } from "./judge-corpus.ts";
import { readOptions, USAGE } from "./options.ts";
import { differences, document, summary } from "./report.ts";
import { percentRight, tallyOf } from "./tally.ts";

const OK = 0;
const NOT_CONFORMANT = 1;
const UNUSABLE = 2;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, process.env);
  if (options.help) {
    console.log(USAGE);
    return OK;
  }
  if (!existsSync(options.oracle)) {
    throw new CensusError("bad-file", `no recordings in ${options.oracle}: name their directory with --oracle DIR`);
  }
  const corpora = options.corpora.map((name) => readCorpus(options.oracle, name));
  const documents: object[] = [];
  let exitCode = OK;
  for (const corpus of corpora) {
    const { judgements, refused } = await judgeCorpus(corpus, options);
    const leftOut = recordingsOf(corpus).length - judgements.length;
    for (const command of refused) console.error(`population of ${corpus.name}: ${command}`);
    console.log([differences(judgements, options.show), summary(corpus.name, judgements, leftOut), ""].join("\n"));
    documents.push(document(corpus.name, judgements, leftOut));
    if (refused.length > 0 || percentRight(tallyOf(judgements)) < options.atLeast) exitCode = NOT_CONFORMANT;
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(documents, undefined, 1)}\n`);
  return exitCode;
}

async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof CensusError ? `conformance: ${error.message}` : error);
    process.exitCode = UNUSABLE;
  }
}

void run();
