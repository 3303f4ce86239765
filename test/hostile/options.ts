import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";
import { type Kind, kindNames, kinds } from "./kinds/index.ts";

export const USAGE = `usage: npm run hostile -- [options]
  --count N        requests to send (default 20000)
  --seed S         another seed makes other requests (default 1); the same one makes the same
  --start N        begin with the n-th request of the seed (default 0)
  --only KIND      requests of one kind alone
  --url URL        attack the server that listens there, with whatever it holds; it may lose its data
  --connections N  requests at a time (default 8)
  --memory MB      memory that the server may have, where control groups can be made; 0: all there is (default 1024)
  --hang-limit MS  longest time that an answer may take (default 10000)
  --status-limit MS  longest time that /status may take (default 2000)
  --rest SECONDS   rest before memory is measured at the end (default 70)
  --row            print a row for the table of docs/reliability.md
Kinds:
${kindNames.map((kind) => `  ${kind.padEnd(10)} ${kinds[kind].shows}`).join("\n")}
Findings are printed and written to dist/hostile. Exit code: 0 none, 1 some, 2 the options cannot be used.`;

export interface Options {
  readonly help: boolean;
  readonly count: number;
  readonly seed: number;
  readonly start: number;
  readonly only: Kind | undefined;
  readonly url: string | undefined;
  readonly connections: number;
  /** MB; undefined: unbounded */
  readonly memory: number | undefined;
  /** ms */
  readonly hangLimit: number;
  /** ms */
  readonly statusLimit: number;
  /** seconds */
  readonly rest: number;
  readonly row: boolean;
}

/** Reads the command line. @throws CensusError (bad-input) for options that do not exist or do not parse */
export function readOptions(args: readonly string[]): Options {
  const given = parse(args);
  const memory = number("--memory", given.memory);
  return {
    help: given.help,
    count: number("--count", given.count),
    seed: number("--seed", given.seed),
    start: number("--start", given.start),
    only: given.only === undefined ? undefined : kind(given.only),
    url: given.url?.replace(/\/+$/, ""),
    connections: number("--connections", given.connections),
    memory: memory === 0 ? undefined : memory,
    hangLimit: number("--hang-limit", given["hang-limit"]),
    statusLimit: number("--status-limit", given["status-limit"]),
    rest: number("--rest", given.rest),
    row: given.row,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h", default: false },
        count: { type: "string", default: "20000" },
        seed: { type: "string", default: "1" },
        start: { type: "string", default: "0" },
        only: { type: "string" },
        url: { type: "string" },
        connections: { type: "string", default: "8" },
        memory: { type: "string", default: "1024" },
        "hang-limit": { type: "string", default: "10000" },
        "status-limit": { type: "string", default: "2000" },
        rest: { type: "string", default: "70" },
        row: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new CensusError("bad-input", messageOf(error), { cause: error });
  }
}

function number(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CensusError("bad-input", `${option} ${text}: expected a whole number`);
}

function kind(text: string): Kind {
  const known = kindNames.find((name) => name === text);
  if (known !== undefined) return known;
  throw new CensusError("bad-input", `--only ${text}: expected one of ${kindNames.join(", ")}`);
}
