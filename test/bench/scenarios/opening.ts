import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { PopulationOptions } from "#fixtures/population.ts";
import { CensusError } from "#storage/errors.ts";
import { freePort } from "#test/free-port.ts";
import type { Bench } from "../bench.ts";
import { parseArchive } from "../parse-archive.ts";
import { archiveOf, benchFolder, populationOf } from "../population.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { packedProgram } from "../packed-program.ts";

/** What a site exports: nodes as `census fixture` has them, and four reports of each; 6,567 members for 1,000 nodes. */
function exported(nodes: number): PopulationOptions {
  return { nodes, seed: 7, reportsPerNode: 4, baseTime: populationOf(1).baseTime };
}

const ABOUT = "/explorer/api/v1/about";

/** Milliseconds between two looks whether the explorer has something to show. */
const LOOK_MS = 20;

/** What is measured of an archive that was never opened. */
export const openingMetrics: Scenario["metrics"] = {
  "reading and parsing alone": { unit: "seconds" },
  "first answer": { unit: "seconds" },
  "explorer, something": { unit: "seconds" },
  "explorer, everything": { unit: "seconds" },
};

/** An archive that was never opened: until a command has its answer, and until the explorer shows something and everything. */
export async function measureOpening(bench: Bench, nodes: number): Promise<Samples> {
  const book = new SampleBook();
  const archive = await archiveOf(exported(nodes), (path) => bench.progress(`making ${path}`));
  const folder = join(benchFolder, "opening");
  const built = join(benchFolder, "npm");
  try {
    const program = await packedProgram(bench, built);
    for (let run = 1; run <= bench.runs; run++) {
      bench.progress(`opening ${run}/${bench.runs}`);
      book.add("reading and parsing alone", await seconds(() => parseArchive(archive)));
      // The engine's library is there already; what was opened is not.
      const fresh = (): NodeJS.ProcessEnv => {
        rmSync(join(folder, "census/archives"), { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        return { ...process.env, XDG_CACHE_HOME: folder };
      };
      if (run === 1) await ended([...program, "query", "nodes[count()]{}", "--archive", archive], fresh());
      const env = fresh();
      book.add(
        "first answer",
        await seconds(() => ended([...program, "query", "nodes[count()]{}", "--archive", archive], env)),
      );
      const { first, all } = await opened(program, archive, fresh());
      book.add("explorer, something", first);
      book.add("explorer, everything", all);
    }
  } finally {
    for (const made of [folder, built]) rmSync(made, { recursive: true, force: true });
  }
  return book.samples();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function ended([program = "", ...words]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(program, words, { env, stdio: ["ignore", "ignore", "pipe"] });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new CensusError("bad-file", `${words.join(" ")} failed: ${errors}`);
}

/** Seconds from the start of `census open` until the explorer has nodes to show, and until it has all. */
async function opened(
  program: readonly string[],
  archive: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly first: number; readonly all: number }> {
  const port = await freePort();
  const [command = "", ...words] = program;
  const opening = [...words, "open", archive, "--no-browser", "--port", String(port)];
  const began = performance.now();
  const child = spawn(command, opening, { env, stdio: "ignore" });
  const closed = once(child, "close");
  try {
    let first: number | undefined;
    for (;;) {
      const about = await requestAbout(port);
      const elapsed = (performance.now() - began) / 1000;
      if (about?.counts !== undefined) first ??= elapsed;
      if (about?.state === "ready") return { first: first ?? elapsed, all: elapsed };
      await setTimeout(LOOK_MS);
    }
  } finally {
    child.kill("SIGTERM");
    await closed;
  }
}

interface AboutArchive {
  readonly state: string;
  readonly counts?: unknown;
}

/** Undefined while nothing listens. */
async function requestAbout(port: number): Promise<AboutArchive | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${ABOUT}`, { headers: { "x-census-incomplete": "accept" } });
    return (await response.json()) as AboutArchive;
  } catch {
    return undefined;
  }
}
