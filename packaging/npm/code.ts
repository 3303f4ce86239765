import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "../..");
const inside = join(import.meta.dirname, "inside");

/** The files that are run or imported, by the source each is made of. */
const modules = {
  census: "cli/main.ts",
  fixture: "cli/fixture/fixture.ts",
  vitest: "cli/fixture/vitest.ts",
  "prepare-worker": "storage/ingest/threads/prepare-worker.ts",
  "match-worker": "storage/postgres/regex/match-worker.ts",
  "question-worker": "app/query/question-worker.ts",
} as const;

/** The engine, and its native part, which is a package of its own for each platform. */
const enginePackage = "@duckdb/node-api";
export const nativePackage = "@duckdb/node-bindings";

/** Not in the code: what is installed with it, what the user has, and what archives in a cloud would need. */
const external = [nativePackage, "vitest", "@aws-sdk/client-s3"];

/** Packages that are CommonJS find `require` there. */
const banner = 'import{createRequire as censusRequire}from"node:module";const require=censusRequire(import.meta.url);';

/** Has the file of the package that starts threads stand for the project's. */
const threads: Plugin = {
  name: "threads",
  setup: (building) => {
    building.onLoad({ filter: /[/\\]worker-code\.ts$/ }, async () => ({
      contents: await readFile(join(inside, "worker-code.ts"), "utf8"),
      loader: "ts",
    }));
  },
};

/** A CommonJS package that is loaded later would come without the names it exports: this gives it them. */
const engine: Plugin = {
  name: "engine",
  setup: (building) => {
    building.onResolve({ filter: new RegExp(`^${enginePackage}$`) }, ({ kind }) =>
      kind === "dynamic-import" ? { path: enginePackage, namespace: "named" } : undefined,
    );
    building.onLoad({ filter: /./, namespace: "named" }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[A-Z]\w*$/.test(name));
      const contents = `import all from "${path}"; export const { ${names.join(", ")} } = all;`;
      return { contents, resolveDir: root };
    });
  },
};

/**
 * Writes the program and what can be imported of it as modules that need nothing but the engine's native part. They are
 * split where something is loaded later: to read all of it would take longer than most commands do.
 * @returns the folders of the packages that something of is in them, from the project's
 */
export async function writeCode(folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...modules },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node24",
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    banner: { js: banner },
    define: { "import.meta.main": "false" },
    external,
    plugins: [threads, engine],
  });
  const entry = await readFile(join(root, "cli/census.cjs"), "utf8");
  await writeFile(join(folder, "census.cjs"), entry.replace("./main.ts", "./census.js"), { mode: 0o755 });
  const folders = Object.keys(metafile.inputs).flatMap((input) => {
    const [found] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    return found === undefined ? [] : [found];
  });
  return [...new Set(folders)].sort();
}
