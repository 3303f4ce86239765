import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/shared-folder.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: the engine's own threads want one of them.
    maxWorkers: 2,
  },
});
