import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { executablePath } from "./packaging/executable/executable.ts";
import { ownTarget } from "./packaging/executable/targets.ts";
import { alone } from "./test/alone.ts";
import { testsOfPackaged } from "./test/packaged-program.ts";

const made = ownTarget === undefined ? undefined : executablePath(ownTarget);
const executable = process.env["CENSUS_EXECUTABLE"] ?? made;
if (executable === undefined || !existsSync(executable)) {
  throw new Error("there is no packaged program to test: npm run package -- own");
}

// Servers that test files share are started by this process.
process.env["CENSUS_EXECUTABLE"] = executable;

/** The tests that start the program as a process, held against the packaged one. */
const include = [...testsOfPackaged, "test/cli/**/*.test.ts", "test/packaging/systemd.test.ts"];

const globalSetup = ["test/shared-folder.ts", "test/explorer/browser/shared-servers.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "sharing",
          include,
          exclude: [...alone],
          globalSetup,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone
            .filter((pattern) => /^test\/(cli|packaging)\//.test(pattern))
            .concat("test/app/durability/**/*.test.ts"),
          globalSetup,
        },
      },
    ],
    // Node.js loads the modules, as it does for the program itself, in half the time.
    experimental: { viteModuleRunner: false },
    env: { CENSUS_EXECUTABLE: executable },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
