import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "#packaging/npm/build.ts";
import type { Bench } from "../bench.ts";
import type { ResetOutput } from "../children/reset.ts";
import { benchFolder } from "../population.ts";
import { SampleBook, type Samples } from "../scenario.ts";

/** How often a process is started for each repetition of what takes seconds. */
const STARTS = 5;

/** How long the packed program takes from its start to a fixture that answers, and a fixture to be as it was. */
export async function measureFixtureStart(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  // Below the project, where the engine's native part is found.
  const folder = join(benchFolder, "npm");
  try {
    bench.progress("making the package for npm");
    await buildPackage(folder);
    const script = join(folder, "census.js");
    for (let run = 1; run <= bench.runs * STARTS; run++) {
      book.add("bare node", await bareNode());
      const usual = await start(script, []);
      bench.progress(`fixture ${run}: ready after ${usual.ready.toFixed(0)} ms`);
      book.add("ready", usual.ready);
      book.add("first answer", usual.answered);
    }
    for (let run = 1; run <= bench.runs; run++) {
      book.add("ready, other nodes", (await start(script, ["--seed", String(100 + run)])).ready);
    }
    const { unchanged, changed } = await bench.run<ResetOutput>("reset", { times: bench.runs * STARTS });
    for (const ms of changed) book.add("reset", ms);
    for (const ms of unchanged) book.add("reset, unchanged", ms);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return book.samples();
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - began;
}

/** In ms from the start of the process. */
async function start(script: string, words: readonly string[]): Promise<{ ready: number; answered: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [script, "fixture", ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  try {
    const { url } = JSON.parse(await firstLine(child)) as { url: string };
    const ready = performance.now() - began;
    await (await fetch(`${url}/pdb/query/v4/nodes`)).text();
    return { ready, answered: performance.now() - began };
  } finally {
    child.kill();
    await ended;
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const piece of stdout ?? []) {
    said += String(piece);
    if (said.includes("\n")) break;
  }
  return said;
}
