import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CensusError } from "#storage/errors.ts";

const root = join(import.meta.dirname, "../..");

/** What is published of the types, by the source; these sources export types of their own alone. */
const declarations = { "fixture.ts": "fixture.d.ts", "vitest.ts": "vitest.d.ts" } as const;

/**
 * Writes the declarations of what can be imported.
 * @throws CensusError "bad-file" when the compiler finds a fault, or a declaration refers to what is not published
 */
export function writeDeclarations(folder: string): void {
  const output = mkdtempSync(join(tmpdir(), "census-types-"));
  try {
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", output];
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", root, ...options], { encoding: "utf8" });
    if (status !== 0) throw new CensusError("bad-file", `the declarations cannot be made: ${stdout}`);
    for (const [source, target] of Object.entries(declarations)) {
      const made = readFileSync(join(output, "cli/fixture", source.replace(/\.ts$/, ".d.ts")), "utf8");
      const text = made.replaceAll('"./fixture.ts"', '"./fixture.js"');
      const foreign = /from "(#[^"]+|\.[^"]+\.ts)"/.exec(text);
      if (foreign !== null) throw new CensusError("bad-file", `${source}: its types refer to ${foreign[1]}`);
      writeFileSync(join(folder, target), text);
    }
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
}
