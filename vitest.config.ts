import { defineConfig } from "vitest/config";

/**
 * Tests of code without state of its own: no memory limits, timers, processes or variables. They share the modules that one
 * worker has loaded, which takes half the processor time of loading them for each file.
 */
const stateless = [
  ["anonymize", "archive", "diff", "display", "hash", "jsonb", "output", "package-versions", "postgres"],
  ["query/ast", "query/complete", "query/entities", "query/pql", "saved-queries", "schema", "sql", "wire"],
]
  .flat()
  .map((folder) => `test/storage/${folder}/**/*.test.ts`)
  .concat("test/explorer/*.test.ts", "test/fixtures/*.test.ts");

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
          globalSetup: ["test/shared-folder.ts", "test/explorer/browser/shared-servers.ts"],
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
