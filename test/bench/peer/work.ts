import { createHash } from "node:crypto";
import type { PopulationCommand } from "#test/conformance/population.ts";
import { BASE_TIME, type OraclePopulation } from "./population.ts";

/** A lot of commands of one kind, and how to see that all of them are stored. */
export interface Work {
  readonly commands: readonly PopulationCommand[];
  readonly stored: { readonly entity: string; readonly count: number; readonly since?: string };
}

/** What is submitted, in this order, by the name of the scenario. */
export const workNames = ["facts", "catalogs", "reports", "facts, unchanged", "catalogs, unchanged"] as const;
export type WorkName = (typeof workNames)[number];

/**
 * The work that a population makes: for each node its last fact set and catalog, all its reports, and then the same fact
 * sets and catalogs in later runs.
 * @param nodes the number of nodes, the first ones of the population
 * @param options `without`: how many of these, the first ones, are left out; `runs`: how many runs follow that change nothing
 */
export function worksOf(
  { commands }: Pick<OraclePopulation, "commands">,
  nodes: number,
  { without = 0, runs = 1 }: { readonly without?: number; readonly runs?: number } = {},
): Readonly<Record<WorkName, Work>> {
  const certnames = new Set([...new Set(commands.map(({ certname }) => certname))].slice(without, nodes));
  const ours = commands.filter(({ certname }) => certnames.has(certname));
  const facts = lastOfEach(ours, "replace_facts");
  const catalogs = lastOfEach(ours, "replace_catalog");
  const reports = ours.filter(({ command }) => command === "store_report");
  return {
    facts: work("factsets", facts),
    catalogs: work("catalogs", catalogs),
    reports: work("reports", reports),
    // Made on demand: the texts of 10,000 nodes are a gigabyte.
    get "facts, unchanged"() {
      return repeated("factsets", facts, runs);
    },
    get "catalogs, unchanged"() {
      return repeated("catalogs", catalogs, runs);
    },
  };
}

/**
 * The same work for nodes of other names, with which a server is made as fast as it gets before it is measured; it then
 * holds these as well, and those of the rounds before.
 * @param round from 1: each has nodes of its own
 */
export function warmUpOf({ commands, stored }: Work, round: number): Work {
  const others = commands.map((command) => inTheNameOf(command, `warm-up-${round}-${command.certname}`));
  return { commands: others, stored: { ...stored, count: stored.count * round } };
}

/** What a node sends as if another had sent it. */
export function inTheNameOf(command: PopulationCommand, certname: string): PopulationCommand {
  return { ...command, certname, payload: command.payload.replaceAll(command.certname, certname) };
}

function work(entity: string, commands: readonly PopulationCommand[]): Work {
  return { commands, stored: { entity, count: commands.length } };
}

function repeated(entity: string, commands: readonly PopulationCommand[], runs: number): Work {
  const repeats = Array.from({ length: runs }, (_, run) =>
    commands.map((command, index) => anotherRun(command, run * commands.length + index)),
  );
  return { commands: repeats.flat(), stored: { entity, count: commands.length, since: BASE_TIME } };
}

function lastOfEach(commands: readonly PopulationCommand[], name: string): PopulationCommand[] {
  const named = commands.filter(({ command }) => command === name);
  return [...new Map(named.map((command) => [command.certname, command])).values()];
}

/** What differs between two runs of an agent that changed nothing, up to the end of the payload's first fields. */
const PER_RUN: readonly [pattern: RegExp, spell: (index: number) => string][] = [
  [/"producer_timestamp":"[^"]*"/, (index) => `"producer_timestamp":"${producedAt(index)}"`],
  [/"transaction_uuid":"[^"]*"/, (index) => `"transaction_uuid":"${uuidOf(`transaction ${index}`)}"`],
  [/"catalog_uuid":"[^"]*"/, (index) => `"catalog_uuid":"${uuidOf(`catalog ${index}`)}"`],
  [/"version":"[^"]*"/, (index) => `"version":"run ${index}"`],
];

/**
 * The same data as a later run of the agent sends them: with a producer timestamp, uuids and a version of their own.
 * Replaced in the text, so that everything else stays byte for byte what it was.
 */
export function anotherRun(command: PopulationCommand, index: number): PopulationCommand {
  // In facts only the timestamp is the run's own; a fact may well be named `version`.
  const fields = command.command === "replace_facts" ? PER_RUN.slice(0, 1) : PER_RUN;
  const payload = fields.reduce((text, [pattern, spell]) => text.replace(pattern, () => spell(index)), command.payload);
  return { ...command, payload, producerTimestamp: producedAt(index) };
}

/** What time does to facts from one run to the next. */
const UPTIME = /"(uptime_seconds|seconds)":(\d+)/g;

/**
 * What the agents of a fleet send one after the other, run after run without end: of each node facts of which some have
 * changed, a catalog that has not, and a report.
 */
export function* endlessRuns({ commands }: Pick<OraclePopulation, "commands">): Generator<PopulationCommand> {
  const runs = ["replace_facts", "replace_catalog", "store_report"].map((name) => lastOfEach(commands, name));
  const [facts = [], catalogs = [], reports = []] = runs;
  const byNode = Map.groupBy([...facts, ...catalogs, ...reports], ({ certname }) => certname);
  for (let index = 0; byNode.size > 0;) {
    for (const own of byNode.values()) {
      for (const command of own) yield changed(anotherRun(command, index), index);
      index++;
    }
  }
}

function changed(command: PopulationCommand, index: number): PopulationCommand {
  if (command.command !== "replace_facts") return command;
  const payload = command.payload.replace(
    UPTIME,
    (_whole, name: string, seconds: string) => `"${name}":${Number(seconds) + index + 1}`,
  );
  return { ...command, payload };
}

/** Later than everything in the population, and different for each command. */
export function producedAt(index: number): string {
  return new Date(Date.parse(BASE_TIME) + 1 + index).toISOString();
}

function uuidOf(text: string): string {
  const hex = createHash("sha1").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
