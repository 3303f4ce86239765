import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";

/** What `--help` says. */
export const USAGE = `usage: npm run bench -- [options]
  --nodes N      nodes in the population (default 1000)
  --quick        100 nodes, and everything once
  --runs N       repetitions of what takes seconds (default 3); queries are asked 20 times
  --only REGEXP  only scenarios whose name matches
  --keep         keep the data directory; a later run with --keep and without import uses it as it is
  --profile      write a CPU profile of every process that is measured to dist/bench/profiles
  --list         name the scenarios and what they show`;

/** What the benchmark was asked to do. */
export interface Options {
  readonly help: boolean;
  readonly list: boolean;
  readonly nodes: number;
  readonly runs: number;
  readonly only: RegExp;
  readonly keep: boolean;
  readonly profile: boolean;
}

const QUICK_NODES = "100";

/**
 * Reads the command line.
 * @throws CensusError (bad-input) for options that do not exist or do not parse
 */
export function readOptions(args: readonly string[]): Options {
  const given = parse(args);
  return {
    help: given.help,
    list: given.list,
    nodes: positive("--nodes", given.nodes ?? (given.quick ? QUICK_NODES : "1000")),
    runs: positive("--runs", given.runs ?? (given.quick ? "1" : "3")),
    only: regExp(given.only),
    keep: given.keep,
    profile: given.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h", default: false },
        list: { type: "boolean", default: false },
        nodes: { type: "string" },
        quick: { type: "boolean", default: false },
        runs: { type: "string" },
        only: { type: "string", default: "" },
        keep: { type: "boolean", default: false },
        profile: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new CensusError("bad-input", messageOf(error), { cause: error });
  }
}

function positive(option: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new CensusError("bad-input", `${option} ${text}: expected a whole number of at least 1`);
}

function regExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new CensusError("bad-input", `--only: ${messageOf(error)}`, { cause: error });
  }
}
