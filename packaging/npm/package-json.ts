import { readFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "#app/version.ts";
import { nativePackage } from "./code.ts";

const root = join(import.meta.dirname, "../..");

/**
 * The package.json of the npm package. It differs from the project's: all dependencies but the engine's native library are
 * bundled, and users do not need the project's tools.
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
    // Prevents accidental publishing.
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
