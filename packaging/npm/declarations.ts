import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";

const root = join(import.meta.dirname, "../..");

/** The sources in `cli/fixture` whose declarations are published. They use the types of each other only. */
const published = ["fixture", "node-builder", "types", "vitest"] as const;

/**
 * Writes the type declarations of the importable modules.
 * @throws CensusError "bad-file" when the compiler reports an error, or a declaration refers to an unpublished one
 */
export function writeDeclarations(folder: string): void {
  const output = mkdtempSync(join(tmpdir(), "census-types-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    // With information of its own about earlier runs, which is none: else only what has changed would be written.
    const own = ["--outDir", output, "--tsBuildInfoFile", join(output, "build-info.json")];
    const options = ["-p", root, "--noEmit", "false", "--declaration", "--emitDeclarationOnly", ...own];
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { encoding: "utf8" });
    if (status !== 0) throw new CensusError("bad-file", `the declarations cannot be made: ${stdout}`);
    for (const name of published) {
      const made = readFileSync(join(output, "cli/fixture", `${name}.d.ts`), "utf8");
      const text = made.replaceAll(new RegExp(`"\\./(${published.join("|")})\\.ts"`, "g"), '"./$1.js"');
      const foreign = /from "(#[^"]+|\.[^"]+\.ts)"/.exec(text);
      if (foreign !== null)
        throw new CensusError("bad-file", `cli/fixture/${name}.ts: its types refer to ${foreign[1]}`);
      writeFileSync(join(folder, `${name}.d.ts`), text);
    }
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
