import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, parseCLI, type TestSpecification } from "vitest/node";
import { alone } from "./test/alone.ts";
import { isShort } from "./test/length.ts";

/**
 * Files that take three quarters of the time of all have the suffix `.long.test.ts`: browsers, clusters, other programs, little
 * memory, kills, random models, each example of the help. `npm test` leaves them out; a run of named files, `npm test --
 * test/replicas`, leaves out nothing. Two files in a browser have no such suffix: they are the smoke test.
 */
const leftOut =
  isShort && parseCLI(["vitest", ...process.argv.slice(2)]).filter.length === 0 ? ["test/**/*.long.test.ts"] : [];
if (leftOut.length > 0) {
  process.once("exit", () => {
    process.stderr.write("LEFT OUT: test/**/*.long.test.ts. TEST_LENGTH=full npm test runs every file.\n");
  });
}

/** Files that a worker shares its browser with. */
const inBrowser = ["test/explorer/browser/**/*.test.ts"];

/** Files that take minutes. As the last ones, they would leave a processor without work. */
const longest = [
  "replicas/replicas.long",
  "explorer/browser/looks.long",
  "explorer/browser/hostile.long",
  "packaging/executable/reproducible",
  "conformance/corpora",
];

function isLong({ moduleId }: TestSpecification): boolean {
  return longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: long = [], false: others = [] } = Object.groupBy(
      await super.sort(files),
      (file) => `${isLong(file)}`,
    );
    return [...long, ...others];
  }
}

/** Where tests start the program, or share what is costly to make. */
const globalSetup = ["test/shared-folder.ts", "test/built-program.ts", "test/explorer/browser/shared-servers.ts"];

/**
 * `npm test` builds the program before its many tests that start it, unless there is a packaged one to test. A run of some tests
 * starts it from the source, which has nothing to wait for. Set here because workers, and servers that test files share,
 * inherit it.
 */
if (process.env["npm_lifecycle_event"] === "test" && process.env["CENSUS_EXECUTABLE"] === undefined) {
  process.env["CENSUS_BUILT_PROGRAM"] = join(import.meta.dirname, `node_modules/.cache/census/program-${process.pid}`);
}

// Each file with a process of its own loads hundreds of modules: with the code that V8 has compiled before, in half the time.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/census/code");

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: { name: "browser", include: inBrowser, exclude: [...leftOut], globalSetup, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "sharing",
          include: ["test/**/*.test.ts"],
          exclude: [...alone, ...inBrowser, ...leftOut],
          globalSetup,
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: [...alone], exclude: [...leftOut], globalSetup } },
    ],
    // Threads that are started from TypeScript load WebAssembly, and V8 13.6 ends a process in which many of them compiled its
    // wrappers ("Check failed: jit_page.has_value()", nodejs/node#64500): with this budget none is compiled.
    execArgv: ["--wasm-wrapper-tiering-budget=1000000000"],
    // Node.js loads the modules, as it does for the program itself, in half the time.
    experimental: { viteModuleRunner: false },
    // For what hangs: a slow machine with other work needs minutes for some tests.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // By default a second, which a busy machine may miss.
    expect: { poll: { timeout: 30_000 } },
    // A browser on a busy machine may be too slow for a key or a click once; the output names what was tried again.
    retry: process.env["CI"] === undefined ? 0 : 1,
    sequence: { sequencer: LongestFirst },
    // Many tests wait for processes. More workers than six were not tried.
    maxWorkers: Math.min(6, Math.ceil(1.5 * availableParallelism())),
  },
});
