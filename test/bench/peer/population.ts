import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseCommandLine, type PopulationCommand } from "#test/conformance/population.ts";
import { linesOf } from "../lines.ts";
import { benchFolder, SEED } from "../population.ts";

/** The moment that every population was made for. */
export const BASE_TIME = "2026-11-20T12:00:00Z";

/** A population that PuppetDB's generator made. */
export interface OraclePopulation {
  /** NDJSON, a command a line */
  readonly file: string;
  readonly commands: readonly PopulationCommand[];
  /** what is there once all of it is stored, by entity */
  readonly counts: Readonly<Record<"nodes" | "factsets" | "catalogs" | "reports", number>>;
  /** when the newest fact set was produced */
  readonly newestFacts: string;
}

/**
 * The population of `gen.mjs --plain`. Made once: the name of its file holds what made it.
 * @param oracle the folder of `gen.mjs`
 */
export async function oraclePopulation(oracle: string, nodes: number): Promise<OraclePopulation> {
  const file = await populationFile(oracle, nodes);
  const commands = await readPopulation(file);
  const certnames = (of?: string): number =>
    new Set(commands.filter(({ command }) => of === undefined || command === of).map(({ certname }) => certname)).size;
  return {
    file,
    commands,
    counts: {
      nodes: certnames(),
      factsets: certnames("replace_facts"),
      catalogs: certnames("replace_catalog"),
      reports: commands.filter(({ command }) => command === "store_report").length,
    },
    newestFacts: commands
      .filter(({ command }) => command === "replace_facts")
      .reduce((newest, { producerTimestamp = "" }) => (producerTimestamp > newest ? producerTimestamp : newest), ""),
  };
}

/** The commands of such a file, in its order. */
export async function readPopulation(file: string): Promise<PopulationCommand[]> {
  return Array.fromAsync(commandsIn(file));
}

/** The same one by one: those of 20,000 nodes are more than a process may hold beside others. */
export async function* commandsIn(file: string): AsyncGenerator<PopulationCommand> {
  for await (const line of linesOf(file)) yield parseCommandLine(line);
}

/** Its file alone. */
export async function populationFile(oracle: string, nodes: number): Promise<string> {
  const generator = join(oracle, "gen.mjs");
  const made = createHash("sha1");
  for (const source of [generator, join(oracle, "lib.mjs")]) made.update(readFileSync(source));
  const file = join(benchFolder, "peer", `${nodes}-nodes-${made.digest("hex").slice(0, 10)}.ndjson`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.part`;
  const options = { nodes, seed: SEED, "base-time": BASE_TIME, out: unfinished };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  await promisify(execFile)(process.execPath, [generator, "--plain", ...args]);
  renameSync(unfinished, file);
  return file;
}
