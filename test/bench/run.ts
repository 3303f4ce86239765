/**
 * Measures Census: `npm run bench`. Exits with 0 whether targets are met or not, for other work on the machine must not
 * fail a build; with 1 when something could not be measured; with 2 when the options cannot be used.
 */
import { CensusError, messageOf } from "#storage/errors.ts";
import { Bench } from "./bench.ts";
import { readOptions, USAGE, type Options } from "./options.ts";
import { figuresOf, tableOf, writeReport, type Figure } from "./report.ts";
import { scenarios } from "./scenarios.ts";

const OK = 0;
const NOT_MEASURED = 1;
const UNUSABLE = 2;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const chosen = scenarios.filter(({ name }) => options.only.test(name));
  if (options.help || options.list) {
    console.log(options.help ? USAGE : chosen.map(({ name, shows }) => `${name.padEnd(30)}${shows}`).join("\n"));
    return OK;
  }
  if (chosen.length === 0)
    throw new CensusError("bad-input", `--only ${options.only.source}: no scenario has such a name`);
  const { figures, faults } = await measure(chosen, options);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 && figures.length > 0 ? OK : NOT_MEASURED;
}

async function measure(
  chosen: typeof scenarios,
  options: Options,
): Promise<{ figures: readonly Figure[]; faults: readonly string[] }> {
  const started = new Date();
  const bench = new Bench(options);
  const figures: Figure[] = [];
  const faults: string[] = [];
  try {
    for (const scenario of chosen) {
      try {
        figures.push(...figuresOf(scenario, await scenario.measure(bench)));
      } catch (error) {
        faults.push(`${scenario.name}: ${messageOf(error)}`);
      }
    }
  } finally {
    await bench.close();
  }
  if (figures.length > 0) {
    console.log(`\n${options.nodes} nodes\n\n${tableOf(figures)}`);
    console.log(`all samples: ${writeReport(started, options.nodes, figures)}`);
  }
  return { figures, faults };
}

async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof CensusError ? `bench: ${error.message}` : error);
    process.exitCode = UNUSABLE;
  }
}

void run();
