import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { testsOfPackaged } from "./test/packaged-program.ts";

/**
 * Tests that change nothing of their process that others would notice: no memory limits, timers, variables or signals. They
 * share the modules that one worker has loaded: loading them for each file takes a third of the processor time.
 */
const sharing = [
  ...["access", "check", "http", "metrics", "openapi", "routes", "settings"].map((name) => `app/${name}`),
  ...["anonymize", "archive", "diff", "display", "fingerprint", "hash", "history", "issues"].map(inStorage),
  ...["ingest/shortcuts", "ingest/write", "jsonb", "lifecycle", "nodes", "output", "package-versions"].map(inStorage),
  ...["parquet", "postgres", "saved-queries", "schema", "sql", "time", "traits", "wire"].map(inStorage),
  "fixtures",
]
  .map((folder) => `test/${folder}/**/*.test.ts`)
  .concat([
    "test/app/explorer/**/!(change-feed).test.ts",
    "test/explorer/*.test.ts",
    "test/storage/query/**/!(huge-facts|in-parts|kept-rows).test.ts",
  ]);

function inStorage(folder: string): string {
  return `storage/${folder}`;
}

/** Files that a worker shares its browser with. */
const inBrowser = ["test/explorer/browser/**/*.test.ts"];

/** Run with the packaged program instead. */
const later = process.env["TEST_PACKAGED"] === "later" ? testsOfPackaged : [];

/** Where tests start the program, or share what is costly to make. */
const globalSetup = ["test/shared-folder.ts", "test/built-program.ts", "test/explorer/browser/shared-servers.ts"];

/**
 * `npm test` builds the program before its many tests that start it. A run of some tests starts it from the source, which has
 * nothing to wait for. Set here because workers, and servers that test files share, inherit it.
 */
if (process.env["npm_lifecycle_event"] === "test") {
  process.env["CENSUS_BUILT_PROGRAM"] = join(import.meta.dirname, `node_modules/.cache/census/program-${process.pid}`);
}

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: "sharing", include: sharing, exclude: [...later], globalSetup, isolate: false } },
      {
        extends: true,
        test: { name: "browser", include: inBrowser, exclude: [...later], globalSetup, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ["test/**/*.test.ts"],
          exclude: [...sharing, ...inBrowser, ...later],
          globalSetup,
        },
      },
    ],
    // Threads that are started from TypeScript load WebAssembly, and V8 13.6 ends a process in which many of them compiled its
    // wrappers ("Check failed: jit_page.has_value()", nodejs/node#64500): with this budget none is compiled.
    execArgv: ["--wasm-wrapper-tiering-budget=1000000000"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A browser on a busy machine may be too slow for a key or a click once; the output names what was tried again.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // Two cores: the engine's own threads want one of them.
    maxWorkers: 2,
  },
});
