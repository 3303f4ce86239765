import { join } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * Tests of code without state of its own: no memory limits, timers, processes or variables. They share the modules that one
 * worker has loaded, which takes half the processor time of loading them for each file.
 */
const stateless = [
  ["anonymize", "archive", "diff", "display", "hash", "jsonb", "output", "package-versions", "postgres"],
  [
    "query/ast",
    "query/complete",
    "query/entities",
    "query/pql",
    "query/statements",
    "saved-queries",
    "schema",
    "sql",
    "wire",
  ],
]
  .flat()
  .map((folder) => `test/storage/${folder}/**/*.test.ts`)
  .concat("test/explorer/*.test.ts", "test/fixtures/*.test.ts");

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
      { extends: true, test: { name: "stateless", include: stateless, isolate: false } },
      {
        extends: true,
        test: {
          name: "isolated",
          include: ["test/**/*.test.ts"],
          exclude: stateless,
          globalSetup: ["test/shared-folder.ts", "test/built-program.ts", "test/explorer/browser/shared-servers.ts"],
        },
      },
    ],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A browser on a busy machine may be too slow for a key or a click once; the output names what was tried again.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // Two cores: the engine's own threads want one of them.
    maxWorkers: 2,
  },
});
