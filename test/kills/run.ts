/**
 * Kills a server again and again: `npm run kills`. Exits with 0 when nothing was lost, doubled or damaged, with 1 when
 * something was, with 2 when the options cannot be used.
 */
import { exitCode, runMain } from "#test/campaign/main.ts";
import { readNumbers } from "#test/campaign/numbers.ts";
import { KillCampaign, type KillResult } from "./campaign.ts";

const USAGE = `usage: npm run kills -- [options]
  --count N    how often the server is killed (default 20)
  --seed S     another seed makes other commands and moments (default 1)
  --senders N  clients that send commands (default 6)
Exit code: 0 nothing was found, 1 something was, 2 the options cannot be used.`;

async function main(args: readonly string[]): Promise<number> {
  const options = readNumbers(args, { count: 20, seed: 1, senders: 6 });
  if (options === undefined) {
    console.log(USAGE);
    return exitCode.ok;
  }
  const result = await new KillCampaign({ ...options, progress: (line) => console.error(line) }).run();
  report(result, options.seed);
  return result.problems.length === 0 ? exitCode.ok : exitCode.found;
}

function report(result: KillResult, seed: number): void {
  const { kills, seconds, acknowledged, refused, unknown, longestStart, problems } = result;
  for (const problem of problems) console.log(problem);
  console.log(`\n${kills} kills with seed ${seed} in ${Math.round(seconds)} s, at:`);
  for (const [moment, count] of [...result.moments].sort(([a], [b]) => a.localeCompare(b)))
    console.log(`  ${moment.padEnd(16)} ${count}`);
  console.log(`commands: ${acknowledged} acknowledged, ${unknown} without an answer, ${refused} refused`);
  console.log(`longest start: ${Math.round(longestStart)} ms`);
  console.log(`problems: ${problems.length}`);
  const count = (what: string): number => problems.filter((problem) => problem.startsWith(what)).length;
  const cells = [
    kills,
    acknowledged.toLocaleString("en"),
    unknown,
    count("lost"),
    count("doubled"),
    count("damaged"),
    `${Math.round(longestStart)} ms`,
  ];
  console.log(`row for docs/reliability.md: | ${cells.join(" | ")} |`);
}

void runMain("kills", main);
