import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";
import { CORPUS_NAMES } from "./corpus.ts";
import type { CorpusName } from "./recording.ts";

export const USAGE = `usage: npm run conformance -- [options]
  --corpus ${CORPUS_NAMES.join("|")}|all  which recorded answers to compare with (default all)
  --oracle DIR        where the recordings lie (default: CENSUS_ORACLE, or ../shared/oracle beside the project)
  --url URL           judge a server that runs already and holds the only population of one corpus
  --only REGEXP       only recordings whose id matches
  --show N            how many wrong answers to show for each corpus (default 10)
  --json FILE         write every verdict to FILE
  --at-least PERCENT  exit with 1 when fewer of a corpus' judged answers are right`;

/** The options of the runner. */
export interface Options {
  readonly help: boolean;
  readonly corpora: readonly CorpusName[];
  readonly oracle: string;
  readonly url?: string;
  readonly only: RegExp;
  readonly show: number;
  readonly json?: string;
  readonly atLeast: number;
}

/** The default folder of the recordings. */
export function oracleFolder(environment: Readonly<NodeJS.ProcessEnv>): string {
  return environment["CENSUS_ORACLE"] ?? resolve(import.meta.dirname, "../../../shared/oracle");
}

/**
 * Reads the command line.
 * @throws CensusError (bad-input) for options that do not exist, do not parse or do not go together
 */
export function readOptions(args: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): Options {
  const given = parse(args);
  const { corpus, url, json } = given;
  const corpora = CORPUS_NAMES.filter((name) => corpus === "all" || corpus === name);
  if (corpora.length === 0)
    throw new CensusError("bad-input", `--corpus ${corpus}: expected ${CORPUS_NAMES.join(", ")} or all`);
  if (url !== undefined && corpora.length > 1) {
    throw new CensusError("bad-input", "--url: a server holds the population of one corpus; name it with --corpus");
  }
  return {
    help: given.help,
    corpora,
    oracle: resolve(given.oracle ?? oracleFolder(environment)),
    ...(url === undefined ? {} : { url }),
    only: regExp(given.only),
    show: atLeastZero("--show", given.show),
    ...(json === undefined ? {} : { json: resolve(json) }),
    atLeast: atLeastZero("--at-least", given["at-least"]),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h", default: false },
        corpus: { type: "string", default: "all" },
        oracle: { type: "string" },
        url: { type: "string" },
        only: { type: "string", default: "" },
        show: { type: "string", default: "10" },
        json: { type: "string" },
        "at-least": { type: "string", default: "0" },
      },
    }).values;
  } catch (error) {
    throw new CensusError("bad-input", messageOf(error), { cause: error });
  }
}

function regExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new CensusError("bad-input", `--only: ${messageOf(error)}`, { cause: error });
  }
}

function atLeastZero(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= 0) return value;
  throw new CensusError("bad-input", `${option} ${text}: expected a number of at least 0`);
}
