import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Modules of `storage` that the explorer's pages import. */
const shared = [
  "storage/query/pql/parse.ts",
  "storage/query/complete/complete.ts",
  "storage/query/complete/values.ts",
  "storage/query/entities/index.ts",
  "storage/diff/nodes.ts",
  "storage/diff/catalog.ts",
  "storage/diff/changes.ts",
  "storage/diff/contents.ts",
  "storage/diff/report.ts",
  "storage/diff/summary.ts",
  "storage/json.ts",
  "storage/states/node-state.ts",
  "storage/display/friendly.ts",
  "storage/display/short-file.ts",
  "storage/display/spans.ts",
  "storage/states/words.ts",
  "storage/time/typed.ts",
  "storage/time/zone.ts",
  "storage/errors.ts",
  "storage/package-versions/older.ts",
  "storage/package-versions/version-key.ts",
];

describe("modules that run in browsers too", () => {
  it.each(shared)("bundle without a module of Node.js: %s", async (path) => {
    const { errors, metafile } = await build({
      absWorkingDir: root,
      entryPoints: [path],
      bundle: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    expect(errors).toEqual([]);
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map((found) => found.path));
    expect(imported.filter((found) => found.startsWith("node:"))).toEqual([]);
  });

  it("use no global of Node.js", async () => {
    const { outputFiles } = await build({
      absWorkingDir: root,
      stdin: { contents: shared.map((path) => `export * from "./${path}";`).join("\n"), resolveDir: root },
      bundle: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      minifySyntax: true,
      minifyWhitespace: true,
      write: false,
      logLevel: "silent",
    });
    expect(outputFiles[0]?.text.match(/\b(?:Buffer|process|setImmediate|__dirname)\b[.(]/g) ?? []).toEqual([]);
  });
});
