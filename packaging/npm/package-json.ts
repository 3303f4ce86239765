import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { nativePackage } from "./code.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The package's own description. It is not the project's: everything but the engine's native part is in the code, and
 * nobody who installs it wants the project's tools.
 */
export function packageJson(): Record<string, unknown> {
  const { name, description, license, engines } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as Record<string, unknown>;
  const { dependencies } = JSON.parse(
    readFileSync(join(root, "node_modules/@duckdb/node-api/package.json"), "utf8"),
  ) as { dependencies: Record<string, string> };
  return {
    name,
    version,
    // Nobody is to publish it by accident.
    private: true,
    description,
    license,
    engines,
    type: "module",
    bin: { census: "./census.cjs" },
    exports: {
      "./fixture": { types: "./fixture.d.ts", default: "./fixture.js" },
      "./vitest": { types: "./vitest.d.ts", default: "./vitest.js" },
      "./package.json": "./package.json",
    },
    dependencies: { [nativePackage]: dependencies[nativePackage] },
    peerDependencies: { vitest: ">=3.2" },
    peerDependenciesMeta: { vitest: { optional: true } },
  };
}
