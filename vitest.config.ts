import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/shared-folder.ts", "test/explorer/browser/shared-servers.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A browser on a busy machine may be too slow for a key or a click once; the output names what was tried again.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // Two cores: the engine's own threads want one of them.
    maxWorkers: 2,
  },
});
