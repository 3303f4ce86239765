/**
 * Measures Census: `npm run bench`. Exits with 0 whether targets are met or not, for other work on the machine must not
 * fail a build; with 1 when something could not be measured; with 2 when the options cannot be used.
 */
import { CensusError, messageOf } from "#storage/errors.ts";
import { Bench } from "./bench.ts";
import { renewPages } from "./documentation.ts";
import { compareWith, comparisonText, type EarlierReport, earlierReport } from "./earlier-report.ts";
import { readOptions, USAGE, type Options } from "./options.ts";
import { benchFolder } from "./population.ts";
import { type Run, tableOf, writeReport } from "./report.ts";
import { figuresOf, type Figure } from "./figure.ts";
import { isChosen, type Scenario } from "./scenario.ts";
import { allScenarios } from "./scenarios.ts";

const OK = 0;
const NOT_MEASURED = 1;
const UNUSABLE = 2;

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, process.env);
  const matching = allScenarios(options).filter(({ name }) => options.only.test(name));
  if (options.help || options.list) {
    console.log(options.help ? USAGE : matching.map(({ name, shows }) => `${name.padEnd(30)}${shows}`).join("\n"));
    return OK;
  }
  const chosen = matching.filter((scenario) => isChosen(scenario, options.only));
  if (chosen.length === 0)
    throw new CensusError("bad-input", `--only ${options.only.source}: no scenario has such a name`);
  const { compare, nodes } = options;
  const scenarios = new Set(chosen.map(({ name }) => name));
  // Looked for now: a name that is wrong should not cost the time of a run.
  const earlier = compare === undefined ? undefined : earlierReport(compare, { nodes, scenarios, folder: benchFolder });
  if (compare === "last" && earlier === undefined)
    console.log(`no earlier run of this with ${nodes} nodes to compare with`);
  const faults = await measure(chosen, options, earlier);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? OK : NOT_MEASURED;
}

/** @returns a line for every scenario that could not be measured */
async function measure(
  chosen: readonly Scenario[],
  options: Options,
  earlier: EarlierReport | undefined,
): Promise<string[]> {
  const started = new Date();
  const bench = new Bench(options);
  const figures: Figure[] = [];
  const faults: string[] = [];
  let peer: string | undefined;
  try {
    const found = await bench.rivals.findPeer();
    peer = await found?.version();
    const skipped = chosen.filter(({ needsPeer }) => needsPeer === true && found === undefined);
    if (skipped.length > 0) console.log(`skipped ${skipped.length} scenarios: no peer answers at ${options.peer}`);
    for (const scenario of chosen) {
      if (skipped.includes(scenario)) continue;
      try {
        figures.push(...figuresOf(scenario, await scenario.measure(bench)));
      } catch (error) {
        faults.push(`${scenario.name}: ${messageOf(error)}`);
      }
    }
  } finally {
    await bench.close();
  }
  const { nodes, fleet, hour } = options;
  if (figures.length > 0) {
    const run = { started, nodes, fleet, hour, ...(peer === undefined ? {} : { peer }) };
    await report(figures, run, { docs: options.docs, earlier });
  }
  return faults;
}

interface Reporting {
  readonly docs: boolean;
  readonly earlier: EarlierReport | undefined;
}

async function report(figures: readonly Figure[], run: Run, { docs, earlier }: Reporting): Promise<void> {
  console.log(`\n${run.nodes} nodes\n\n${tableOf(figures)}`);
  const comparison = earlier === undefined ? undefined : compareWith(earlier, figures, run);
  if (earlier !== undefined && comparison !== undefined) console.log(`${comparisonText(comparison, earlier)}\n`);
  console.log(`all samples: ${writeReport(run, figures, comparison)}`);
  if (docs) renewPages(figures, run);
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
