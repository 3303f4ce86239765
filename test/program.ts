import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** The packaged program, where that is what is tested. */
export const executable: string | undefined =
  process.env["CENSUS_EXECUTABLE"] === undefined ? undefined : resolve(root, process.env["CENSUS_EXECUTABLE"]);

/** The directory with the program as the npm package contains it, where that is tested: `test/built-program.ts` builds it. */
const built: string | undefined = process.env["CENSUS_BUILT_PROGRAM"];

const source: readonly string[] = [process.execPath, join(root, "cli/main.ts")];

/** What starts the program: from its source, built, or packaged. */
export const program: readonly string[] =
  executable === undefined
    ? built === undefined
      ? source
      : [process.execPath, join(built, "census.cjs")]
    : [executable];

/** Where it is started. */
export const startFolder: string = executable === undefined ? root : "/";

export interface ProgramOptions {
  /** Besides what every run gets. */
  readonly env?: NodeJS.ProcessEnv;
  /** From its source also where it was built or packaged: the test is about files of the source, or options of Node.js. */
  readonly isFromSource?: boolean;
  /** It has to do without the engine: what needs it fails. */
  readonly withoutEngine?: boolean;
  /** Statements of a shell that limit what the system gives it. */
  readonly limits?: string;
}

/** Ends the program as soon as the engine is loaded. */
const engineRefused = [
  "--import",
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith("@duckdb/")) throw new Error("loads " + name);
      return next(name, context);
    } });
  `)}`,
];

/**
 * Where the code that V8 has compiled is kept between runs: a start from the source takes half as long with it. V8 compares
 * the source before it uses any of it.
 */
const codeCache = join(built ?? join(root, "node_modules/.cache/census"), "code");

/** The environment of a run from the source, or of the built program: what the user has set for himself stays out of it. */
export function sourceEnvironment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { CENSUS_URL: _, ...inherited } = process.env;
  return { ...inherited, NODE_COMPILE_CACHE: codeCache, ...changes };
}

/** That of the packaged program, which gets nothing else: no path with other programs and no home that can be written. */
function packagedEnvironment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const engine = join(root, "node_modules/.cache/census/engine");
  mkdirSync(engine, { recursive: true, mode: 0o700 });
  return { HOME: "/dev/null", TMPDIR: tmpdir(), CENSUS_NATIVE_DIR: engine, ...changes };
}

/** The environment of a run of the program that is tested. */
export const environment = executable === undefined ? sourceEnvironment : packagedEnvironment;

/** Starts the program, its input and output in pipes. */
export function startProgram(
  words: readonly string[],
  { env, isFromSource = false, withoutEngine = false, limits }: ProgramOptions = {},
): ChildProcessWithoutNullStreams {
  const [command = "", ...before] = isFromSource ? source : program;
  const isPackaged = executable !== undefined && !isFromSource;
  const node = withoutEngine && !isPackaged ? engineRefused : [];
  // Nowhere to unpack it to.
  const refused = withoutEngine && isPackaged ? { CENSUS_NATIVE_DIR: "/dev/null" } : {};
  const whole = [command, ...node, ...before, ...words];
  const [file = "", ...rest] = limits === undefined ? whole : ["sh", "-c", `${limits}; exec "$@"`, "sh", ...whole];
  return spawn(file, rest, {
    cwd: isFromSource ? root : startFolder,
    env: { ...(isPackaged ? packagedEnvironment() : sourceEnvironment()), ...refused, ...env },
  });
}
