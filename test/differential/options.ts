import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";
import { oracleFolder } from "../conformance/options.ts";
import { type Kind, kinds } from "./requests.ts";

export const USAGE = `usage: npm run differential -- [options]
  --peer URL     PuppetDB that contains the recorded population (default: ORACLE_URL, or http://127.0.0.1:18080)
  --oracle DIR   where the recordings are (default: CENSUS_ORACLE, or ../shared/oracle beside the project)
  --kind KIND    how requests are made (default ast):
${Object.entries(kinds)
  .map(([kind, text]) => `                   ${kind.padEnd(9)}${text}`)
  .join("\n")}
  --count N      random requests to send (default 2000)
  --seed S       another seed makes other requests (default 1); the same one makes the same
  --show N       how many differences to show of each kind (default 3)
Exit code: 0 no differences, 1 some, 2 the options or the servers cannot be used.`;

export interface Options {
  readonly help: boolean;
  readonly peer: string;
  readonly oracle: string;
  readonly kind: Kind;
  readonly count: number;
  readonly seed: number;
  readonly show: number;
}

/** Reads the command line. @throws CensusError (bad-input) for options that do not exist or do not parse */
export function readOptions(args: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): Options {
  const { help, peer, oracle, kind, count, seed, show } = parse(args);
  return {
    help,
    peer: peer ?? environment["ORACLE_URL"] ?? "http://127.0.0.1:18080",
    oracle: oracle ?? oracleFolder(environment),
    kind: kindOf(kind),
    count: number("--count", count),
    seed: number("--seed", seed),
    show: number("--show", show),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h", default: false },
        peer: { type: "string" },
        oracle: { type: "string" },
        kind: { type: "string", default: "ast" },
        count: { type: "string", default: "2000" },
        seed: { type: "string", default: "1" },
        show: { type: "string", default: "3" },
      },
    }).values;
  } catch (error) {
    throw new CensusError("bad-input", messageOf(error), { cause: error });
  }
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text)) return value;
  throw new CensusError("bad-input", `${option} ${text}: expected a whole number of at least 0`);
}

function kindOf(text: string): Kind {
  const kind = Object.keys(kinds).find((name): name is Kind => name === text);
  if (kind !== undefined) return kind;
  throw new CensusError("bad-input", `--kind ${text}: expected ${Object.keys(kinds).join(", ")}`);
}
