import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { CensusError } from "#storage/errors.ts";
import type { Bench } from "../bench.ts";
import { packedProgram } from "../packed-program.ts";
import { benchFolder } from "../population.ts";
import { type Metric, SampleBook, type Samples } from "../scenario.ts";

/** Words of a command line; `NODE` and `FILE` are a certname and the title of a file that many nodes have. */
type Words = readonly string[];

const failed = 'nodes[certname] { latest_report_status = "failed" }';

/** Questions that people have, by what the figure is called. */
const commands: Readonly<Record<string, Words>> = {
  nodes: ["nodes"],
  "nodes --count": ["nodes", "--count"],
  "nodes --status failed": ["nodes", "--status", "failed"],
  "nodes --class --fact": ["nodes", "--class", "chrony", "--fact", "os.family=Debian"],
  node: ["node", "NODE"],
  search: ["search", "interlock"],
  facts: ["facts"],
  "facts NODE": ["facts", "NODE"],
  "facts --count": ["facts", "--name", "os.family", "--count"],
  reports: ["reports"],
  "reports --flapping": ["reports", "--flapping", "--since", "7d"],
  events: ["events"],
  "events --group-by message": ["events", "--group-by", "message"],
  classes: ["classes"],
  "classes NAME": ["classes", "chrony"],
  resources: ["resources"],
  "resources TYPE": ["resources", "file"],
  "resources TYPE[TITLE]": ["resources", "File[FILE]"],
  packages: ["packages"],
  "packages --older-than": ["packages", "openssl", "--older-than", "3.0.8"],
  "events --corrective": ["events", "--corrective", "--since", "7d"],
  "events --corrective --group-by resource": ["events", "--corrective", "--group-by", "resource"],
  unused: ["unused", "MANIFESTS"],
  query: ["query", "inventory[certname, facts.os.name] { order by certname limit 20 }"],
  sql: ["sql", "SELECT type, count(*) FROM resources GROUP BY type ORDER BY 2 DESC LIMIT 5"],
  check: ["check", resolve(import.meta.dirname, "../../../fixtures/checks.yaml")],
  inventory: ["inventory", "--format", "ansible", "--group", "os.name", "--group-class", "role::*"],
  "tail --limit": ["tail", "--limit", "3"],
  "watch --once": ["watch", failed, "--once", "--initial", "--cursor", "CURSOR"],
};

/** The figures of the scenario. */
export const commandMetrics: Readonly<Record<string, Metric>> = {
  "bare node": { unit: "milliseconds" },
  ...Object.fromEntries(Object.keys(commands).map((name) => [name, { unit: "milliseconds" }])),
};

/** How often each command is run for each repetition of what takes seconds. */
const TIMES = 3;

/**
 * The program from the start of each process to its end, all commands by turns: the executable, if it was built with
 * `npm run package -- own`, otherwise the package for npm.
 */
export async function measureCommands(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  const folder = join(benchFolder, "commands");
  // Below the project, where the engine's native part is found.
  const built = join(benchFolder, "npm");
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "site.pp"), "class chrony { }\nclass site::old { }\n");
    const program = await packedProgram(bench, built);
    const archive = await bench.archive();
    const runOn = async (words: Words): Promise<string> => ended([...program, ...words, "--archive", archive], folder);
    bench.progress("opening the archive");
    const [node = ""] = column(await runOn(["nodes", "--limit", "1", "--output", "csv"]));
    const [file = ""] = column(await runOn(["resources", "file", "--limit", "1", "--output", "csv"]));
    const places: Readonly<Record<string, string>> = { NODE: node, MANIFESTS: join(folder, "site.pp") };
    for (let round = 1; round <= bench.runs * TIMES; round++) {
      bench.progress(`commands ${round}/${bench.runs * TIMES}`);
      book.add("bare node", await timed(() => ended([process.execPath, "-e", "0"], folder)));
      for (const [name, words] of Object.entries(commands)) {
        const placed = words.map(
          (word) => places[word] ?? word.replace("FILE", file).replace("CURSOR", `cursor-${round}`),
        );
        book.add(name, await timed(() => runOn(placed)));
      }
    }
  } finally {
    for (const made of [folder, built]) rmSync(made, { recursive: true, force: true });
  }
  return book.samples();
}

/** In ms. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The first column of a table in CSV, whose values need no quotes. */
function column(csv: string): string[] {
  return csv
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[0] ?? "");
}

/**
 * Runs a program in a folder, which has the cache of opened archives as well.
 * @returns what it printed
 * @throws CensusError when it fails; a check that fails is an answer
 */
async function ended([program = "", ...words]: Words, folder: string): Promise<string> {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...process.env, XDG_CACHE_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [printed, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code === 0 || words.includes("check")) return printed;
  throw new CensusError("bad-file", `${words.join(" ")} ended with ${String(code)}: ${errors}`);
}
