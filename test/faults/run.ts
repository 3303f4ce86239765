/**
 * Has file calls of a server fail: `npm run faults`. Exits with 0 when nothing was lost, with 1 when something was, with 2
 * when the options cannot be used, with 3 where there is no C compiler.
 */
import { tmpdir } from "node:os";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { exitCode, runMain } from "#test/campaign/main.ts";
import { readNumbers } from "#test/campaign/numbers.ts";
import { FaultCampaign } from "./campaign.ts";
import { type FaultResult, type KindResult, type RoundKind, roundNames } from "./results.ts";
import { compileShim } from "./shim.ts";

const USAGE = `usage: npm run faults -- [options] [KIND…]
  --count N    rounds of each kind (default 1)
  --seed S     another seed makes other commands and faults (default 1)
  --senders N  clients that send commands (default 4)
Kinds (default: all of them):
${roundNames.map((name) => `  ${name}`).join("\n")}
Exit code: 0 nothing was lost, 1 something was, 2 the options cannot be used, 3 there is no C compiler.`;

async function main(args: readonly string[]): Promise<number> {
  const kinds = roundNames.filter((name) => args.includes(name));
  const options = readNumbers(
    args.filter((word) => !roundNames.includes(word as RoundKind)),
    { count: 1, seed: 1, senders: 4 },
  );
  if (options === undefined) {
    console.log(USAGE);
    return exitCode.ok;
  }
  const place = mkdtempSync(join(tmpdir(), "census-shim-"));
  try {
    const trial = compileShim(place, place);
    if (typeof trial === "string") {
      console.error(`faults: NOT RUN. ${trial}`);
      return exitCode.impossible;
    }
    trial[Symbol.dispose]();
    const shimFor = (folder: string) => {
      const shim = compileShim(place, folder);
      if (typeof shim === "string") throw new Error(shim);
      return shim;
    };
    const chosen = kinds.length === 0 ? roundNames : kinds;
    const printed = { progress: console.error, onResult: (...row: Row) => console.error(rowOf(...row)) };
    const result = await new FaultCampaign({ ...options, kinds: chosen, ...printed }, shimFor).run();
    report(result);
    return result.problems.length === 0 ? exitCode.ok : exitCode.found;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function report({ kinds, problems, refusals, endings }: FaultResult): void {
  for (const problem of problems) console.log(problem);
  console.log("\nCommands were refused with:");
  for (const [text, count] of [...refusals].sort((a, b) => b[1] - a[1])) console.log(`  ${count} × ${text}`);
  console.log("Servers ended, did not start, or reported damage with:");
  for (const [text, count] of [...endings].sort((a, b) => b[1] - a[1])) console.log(`  ${count} × ${text}`);
  console.log(
    "\n| fault | rounds | calls failed, files damaged | acknowledged | lost | doubled | damaged | ended by itself | did not start | damage reported |",
  );
  console.log("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |");
  for (const row of kinds) console.log(rowOf(...row));
}

type Row = [kind: RoundKind, result: KindResult];

function rowOf(...[kind, result]: Row): string {
  const { rounds, injected, acknowledged, lost, doubled, damaged, ended, refusedStarts, reported } = result;
  const figures = [rounds, injected, acknowledged, lost, doubled, damaged, ended, refusedStarts, reported];
  return `| ${[kind, ...figures.map((figure) => figure.toLocaleString("en"))].join(" | ")} |`;
}

void runMain("faults", main);
