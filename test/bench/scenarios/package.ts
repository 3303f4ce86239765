import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { CensusError } from "#storage/errors.ts";
import { bundleEntries } from "../../../packaging/executable/bundle.ts";
import { executablePath, makeExecutable } from "../../../packaging/executable/executable.ts";
import { ownTarget } from "../../../packaging/executable/targets.ts";
import { archivePath } from "../../../packaging/release/release.ts";
import type { Bench } from "../bench.ts";
import { memoryOf } from "../memory.ts";
import { benchFolder } from "../population.ts";
import { SampleBook, type Samples } from "../scenario.ts";

/** How often each start is measured. */
const STARTS = 10;

/** An index of nodes, of which there is none of this name. */
const QUESTION = `/pdb/query/v4/nodes?query=${encodeURIComponent('["=","certname","none"]')}`;

type StartName = "mini server" | "empty store" | "population's store";

/** A program to start, its arguments, and the path of the request that it must answer. */
interface Start {
  readonly program: string;
  readonly words: readonly string[];
  readonly path: string;
}

/**
 * The packaged program, as `npm run package` has made it: its size, how soon it says its version and how soon it answers,
 * beside a server of a few lines that is packaged the same way.
 */
export async function measurePackage(bench: Bench): Promise<Samples> {
  if (ownTarget === undefined) throw new CensusError("not-found", "no executable is made for this platform");
  const program = executablePath(ownTarget);
  if (!existsSync(program)) throw new CensusError("not-found", "there is no executable: npm run package -- own");
  const book = new SampleBook();
  book.add("size", statSync(program).size);
  const archive = archivePath(ownTarget);
  if (existsSync(archive)) book.add("archive", statSync(archive).size);

  const mini = join(benchFolder, "mini-server");
  bench.progress(`making ${mini}`);
  const bundle = await bundleEntries({ main: join(import.meta.dirname, "../children/mini-server.ts") });
  await makeExecutable(ownTarget, { bundle }, mini);
  await bench.populate();
  const now = new Date(bench.now).toISOString();
  const starts: Readonly<Record<StartName, Start>> = {
    "mini server": { program: mini, words: [], path: "/" },
    "empty store": { program, words: ["serve", "--memory", "--port", "0"], path: QUESTION },
    "population's store": {
      program,
      words: ["serve", "--data", bench.directory, "--port", "0", "--now", now],
      path: QUESTION,
    },
  };
  // Each in turn, so that other work on the machine hits all of them; the first unpacks the library.
  for (let run = -1; run < STARTS; run++) {
    bench.progress(`starting, ${run + 1}/${STARTS}`);
    const bare = await endOf(process.execPath, ["--version"]);
    const version = await endOf(program, ["--version"]);
    const first = { mini: await answerOf(starts["mini server"]), empty: await answerOf(starts["empty store"]) };
    const populated = await answerOf(starts["population's store"]);
    if (run < 0) continue;
    book.add("--version", version);
    book.add("--version, beyond node's", version - bare);
    book.add("first answer, mini server", first.mini.ms);
    book.add("first answer, empty store", first.empty.ms);
    book.add("first answer, empty store, beside the mini server", first.empty.ms / first.mini.ms);
    book.add("first answer, population's store", populated.ms);
    book.add("first answer, population's store, beside the mini server", populated.ms / first.mini.ms);
    book.add("memory after the start", first.empty.memory);
  }
  return book.samples();
}

/** Milliseconds that a run takes. */
async function endOf(program: string, words: readonly string[]): Promise<number> {
  const began = performance.now();
  await once(spawn(program, words, { stdio: "ignore" }), "close");
  return performance.now() - began;
}

/** Milliseconds from the start to the end of the first answer, and the memory that is in use then. */
async function answerOf({ program, words, path }: Start): Promise<{ ms: number; memory: number | undefined }> {
  const began = performance.now();
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /is ready on (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      await (await fetch(`${url}${path}`)).text();
      return { ms: performance.now() - began, memory: memoryOf(child.pid ?? 0)?.now };
    }
    throw new CensusError("bad-file", `${program} ended before it was ready`);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}
