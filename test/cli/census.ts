import { type ChildProcessWithoutNullStreams, execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, vi } from "vitest";
import {
  environment as programEnvironment,
  program,
  type ProgramOptions,
  startFolder,
  startProgram,
} from "#test/program.ts";
import { type Running, running as started } from "#test/running.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The archive that comes with the source. */
export const SAMPLE = join(root, "fixtures/sample.tgz");

/** Set by `test/shared-folder.ts` to a folder that all files of a run share, and that is removed after it. */
const shared = process.env["CENSUS_TEST_SHARED"];

/**
 * The cache of a test process, where opened archives are kept: not where the user keeps them. Made at the first run: where every
 * test is skipped, nothing is done.
 */
let cache: string | undefined;

function ownCache(): NodeJS.ProcessEnv {
  cache ??= mkdtempSync(join(shared ?? tmpdir(), "cache-"));
  return { XDG_CACHE_HOME: cache };
}

let hasSample = false;

/** Puts the opened sample into the cache of the test process, which then need not open it itself; one of a run does. */
function addSample(): void {
  const own = ownCache();
  if (hasSample || shared === undefined) return;
  hasSample = true;
  const opened = join(shared, "sample");
  if (!existsSync(opened)) {
    const draft = mkdtempSync(join(shared, "draft-"));
    const [file, ...words] = [...program, "sql", "SELECT 1", "--archive", SAMPLE];
    execFileSync(file, words, { cwd: startFolder, env: programEnvironment({ XDG_CACHE_HOME: draft }) });
    try {
      renameSync(join(draft, "census/archives"), opened);
    } catch {
      // Another file has just opened it as well.
    }
  }
  cpSync(opened, join(own["XDG_CACHE_HOME"] ?? "", "census/archives"), { recursive: true });
}

/** What a run of the program came to. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions extends ProgramOptions {
  readonly input?: string;
}

/** The environment of a run, with a cache of its own. */
export function environment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  addSample();
  return programEnvironment({ ...ownCache(), ...changes });
}

/** Starts the program, its input and output in pipes. */
export function start(words: readonly string[], { env, ...options }: RunOptions = {}): ChildProcessWithoutNullStreams {
  if (words.includes(SAMPLE) && env?.["XDG_CACHE_HOME"] === undefined) addSample();
  return startProgram(words, { ...options, env: { ...ownCache(), ...env } });
}

/**
 * Runs a command line until it ends: in this process, which takes a tenth of the time of a start. `examples.long.test.ts` starts the
 * program for each command, and so does what needs an input, a limit or a terminal.
 */
export async function census(words: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { env, ...others } = options;
  const [command = ""] = words;
  // A service sets up the log of its process, a command that a fixture runs has its output, and - reads its input.
  if (Object.keys(others).length > 0 || services.has(command) || words.includes("-")) return startedRun(words, options);
  const run = running.then(() => here(words, env));
  running = run.catch(() => undefined);
  return run;
}

const services: ReadonlySet<string> = new Set(["fixture", "follow", "open", "serve"]);

/** The runs in this process so far: they take its output and variables, so each waits for the one before it. */
let running: Promise<unknown> = Promise.resolve();

async function here(words: readonly string[], changes: NodeJS.ProcessEnv = {}): Promise<Run> {
  const { run } = await import("#cli/run.ts");
  if (words.includes(SAMPLE) && changes["XDG_CACHE_HOME"] === undefined) addSample();
  const [before, folder] = [{ ...process.env }, process.cwd()];
  const written = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text, ...rest) => {
      written[name] += String(text);
      const done = rest.at(-1);
      if (typeof done === "function") process.nextTick(done);
      return true;
    }),
  );
  setEnvironment(programEnvironment({ ...ownCache(), ...changes }));
  process.chdir(startFolder);
  try {
    return { code: await run(words), ...written };
  } finally {
    setEnvironment(before);
    process.chdir(folder);
    for (const spy of spies) spy.mockRestore();
  }
}

/** In place: what is native, such as the home directory, does not see another object. */
function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}

/** Starts the program, its output in pipes, until it ends. */
export async function startedRun(words: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = start(words, options);
  child.stdin.end(options.input ?? "");
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

/** Runs the program with a reader that leaves after the first piece of output. */
export async function censusCutShort(words: readonly string[]): Promise<Omit<Run, "stdout">> {
  const child = start(words);
  child.stdin.end();
  child.stdout.once("data", () => child.stdout.destroy());
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stderr };
}

/** Starts `open` or `serve` and waits until it is ready. */
export async function startServer(words: readonly string[], options: RunOptions = {}): Promise<Running> {
  return started(start(words, options));
}

/** A folder for this test file, gone when it ends. */
export function workFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "census-cli-"));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
