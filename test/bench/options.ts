import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";
import { oracleFolder } from "#test/conformance/options.ts";

/** What `--help` says. */
export const USAGE = `usage: npm run bench -- [options]
  --nodes N      nodes in the population (default 1000)
  --quick        100 nodes, and everything once
  --runs N       repetitions of what takes seconds (default 3); queries are repeated 20 times
  --only REGEXP  only scenarios whose name matches
  --keep         keep the data directory; a later run with --keep and without import uses it as it is
  --fleet NxRUNS nodes whose history is recorded, and half-hourly runs of each (default 2000x48, with --quick 50x6)
  --hour NxMIN   nodes that fleet-hour measures, and minutes (default 100000x60, with --quick 200x2); only with its whole
                 name in --only. The first time it makes a store, which takes 10 to 20 minutes for 100,000 nodes
  --browsing S   seconds for which ten people browse (default 20, with --quick 3)
  --peer URL     the PuppetDB to compare with (default: ORACLE_URL, or http://127.0.0.1:18080); its data are replaced
  --oracle DIR   tools and queries for PuppetDB (default: CENSUS_ORACLE, or ../shared/oracle beside the project)
  --profile      write a CPU profile of every process that is measured to dist/bench/profiles
  --compare RUN  say what got worse than in an earlier run: a file of dist/bench, or last, the newest of as many nodes
  --restart-peer let PuppetDB end and start again, to measure how long that takes; for one that up.sh has started
  --docs         replace the tables of what is measured on the pages of docs
  --list         name the scenarios and what they show`;

/** What the benchmark has to do. */
export interface Options {
  readonly help: boolean;
  readonly list: boolean;
  readonly nodes: number;
  readonly runs: number;
  readonly only: RegExp;
  readonly keep: boolean;
  readonly profile: boolean;
  readonly docs: boolean;
  /** the report of an earlier run, or `last` */
  readonly compare: string | undefined;
  readonly restartPeer: boolean;
  /** the address of PuppetDB, if there is one, without a slash at the end */
  readonly peer: string;
  /** the folder of PuppetDB's tools */
  readonly oracle: string;
  /** the fleet whose history is recorded, and how often each of its nodes runs */
  readonly fleet: { readonly nodes: number; readonly runs: number };
  /** the fleet that is measured while its agents run, and for how many minutes */
  readonly hour: { readonly nodes: number; readonly minutes: number };
  /** seconds for which ten people browse */
  readonly browsing: number;
}

const QUICK_NODES = "100";
const QUICK_FLEET = "50x6";
const QUICK_HOUR = "200x2";
const QUICK_BROWSING = "3";

/** Where `up.sh` of PuppetDB's tools makes it listen. */
const DEFAULT_PEER = "http://127.0.0.1:18080";

/**
 * Reads the command line.
 * @throws CensusError (bad-input) for options that do not exist or do not parse
 */
export function readOptions(args: readonly string[], environment: Readonly<NodeJS.ProcessEnv>): Options {
  const given = parse(args);
  return {
    help: given.help,
    list: given.list,
    nodes: positive("--nodes", given.nodes ?? (given.quick ? QUICK_NODES : "1000")),
    runs: positive("--runs", given.runs ?? (given.quick ? "1" : "3")),
    only: regExp(given.only),
    keep: given.keep,
    profile: given.profile,
    docs: given.docs,
    compare: given.compare,
    restartPeer: given["restart-peer"],
    peer: httpUrl("--peer", given.peer ?? environment["ORACLE_URL"] ?? DEFAULT_PEER),
    oracle: resolve(given.oracle ?? oracleFolder(environment)),
    browsing: positive("--browsing", given.browsing ?? (given.quick ? QUICK_BROWSING : "20")),
    fleet: fleet(given.fleet ?? (given.quick ? QUICK_FLEET : "2000x48")),
    hour: hour(given.hour ?? (given.quick ? QUICK_HOUR : "100000x60")),
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
        docs: { type: "boolean", default: false },
        fleet: { type: "string" },
        hour: { type: "string" },
        browsing: { type: "string" },
        compare: { type: "string" },
        "restart-peer": { type: "boolean", default: false },
        peer: { type: "string" },
        oracle: { type: "string" },
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

function fleet(text: string): Options["fleet"] {
  const [, nodes, runs] = /^([1-9]\d{0,5})x([1-9]\d{0,3})$/.exec(text) ?? [];
  if (nodes !== undefined && runs !== undefined) return { nodes: Number(nodes), runs: Number(runs) };
  throw new CensusError("bad-input", `--fleet ${text}: expected nodes and runs such as 2000x48`);
}

function hour(text: string): Options["hour"] {
  const [, nodes, minutes] = /^([1-9]\d{1,5})x([1-9]\d{0,3})$/.exec(text) ?? [];
  if (nodes !== undefined && minutes !== undefined) return { nodes: Number(nodes), minutes: Number(minutes) };
  throw new CensusError("bad-input", `--hour ${text}: expected at least 10 nodes, and minutes, such as 100000x60`);
}

function httpUrl(option: string, text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text.replace(/\/+$/, "");
  throw new CensusError("bad-input", `${option} ${text}: expected an address such as ${DEFAULT_PEER}`);
}

function regExp(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new CensusError("bad-input", `--only: ${messageOf(error)}`, { cause: error });
  }
}
