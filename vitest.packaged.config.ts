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

/**
 * Tests of what the program prints. `npm test` runs them with the bundle that is packaged, so continuous integration, which says
 * TEST_PACKAGED=short, leaves them out here; the rest starts every command at least once.
 */
const alsoBundled = [
  ["anonymize", "check", "diff", "history", "names", "node", "search", "short-forms", "sources"],
  ["export", "follow/tail", "import", "shell/script", "sql"],
  ["output", "unused", "inventory", "completion", "follow/watch", "top/top", "top/read-fleet", "query"],
]
  .flat()
  .flatMap((name) => [`test/cli/${name}/**`, `test/cli/${name}.test.ts`]);
const isShort = process.env["TEST_PACKAGED"] === "short";

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
          exclude: [...alone, ...(isShort ? alsoBundled : [])],
          globalSetup,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: alone
            .filter((pattern) => pattern.startsWith("test/cli/"))
            .concat("test/app/durability/**/*.test.ts"),
          exclude: isShort ? alsoBundled : [],
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
