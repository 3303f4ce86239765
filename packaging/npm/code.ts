import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "../..");
const inside = join(import.meta.dirname, "inside");

/** Entry files of the package, by name, with their source. */
const modules = {
  census: "cli/main.ts",
  fixture: "cli/fixture/fixture.ts",
  vitest: "cli/fixture/vitest.ts",
  "prepare-worker": "storage/ingest/threads/prepare-worker.ts",
  "match-worker": "storage/postgres/regex/match-worker.ts",
  "query-worker": "app/query/query-worker.ts",
  "password-worker": "app/sign-in/password-worker.ts",
} as const;

/** The native part of the engine, which is a package of its own for each platform. */
export const nativePackage = "@duckdb/node-bindings";

/** Not bundled: dependencies, packages that the user has installed, clients of cloud storage, development tools. */
const external = [nativePackage, "vitest", "@aws-sdk/client-s3"];

/** Defines `require` for CommonJS packages. */
const banner = 'import{createRequire as censusRequire}from"node:module";const require=censusRequire(import.meta.url);';

/** Replaces the project's files that start threads, and the one that bundles the explorer's pages. */
const replacing: Plugin = {
  name: "replacing",
  setup: (building) => {
    building.onResolve({ filter: /\/worker-code\.ts$/ }, () => ({ path: join(inside, "worker-code.ts") }));
    building.onResolve({ filter: /\/explorer\/assets\.ts$/ }, () => ({ path: join(inside, "explorer-assets.ts") }));
  },
};

/**
 * Gives our dynamic imports of CommonJS packages the named exports that Node.js gives them. Where code is split, `esbuild`
 * gives them only `default`.
 */
const namedExports: Plugin = {
  name: "named exports",
  setup: (building) => {
    building.onResolve({ filter: /^[^.#/]/ }, async ({ path, kind, pluginData, ...options }) => {
      if (kind !== "dynamic-import" || pluginData === namedExports || external.includes(path)) return undefined;
      if (options.importer.includes("node_modules")) return undefined;
      const found = await building.resolve(path, { ...options, kind, pluginData: namedExports });
      return found.external || !(await isCommonJs(found.path)) ? found : { path, namespace: "named" };
    });
    building.onLoad({ filter: /./, namespace: "named" }, async ({ path }) => {
      const names = Object.keys(await import(path)).filter((name) => /^[a-z]\w*$/i.test(name) && name !== "default");
      const contents = `import * as all from "${path}"; export const { ${names.join(", ")} } = all;`;
      return { contents, resolveDir: root };
    });
  },
};

async function isCommonJs(file: string): Promise<boolean> {
  if (/\.[cm]js$/.test(file)) return file.endsWith(".cjs");
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { type?: string }).type !== "module";
  }
  return true;
}

/**
 * Writes the program and its importable modules, which depend on the engine's native library only. They are split at
 * dynamic imports: loading all code would take longer than most commands do.
 * @returns the modules it consists of
 */
export async function writeCode(folder: string): Promise<Metafile> {
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
    define: { "import.meta.main": "false", "process.env.NODE_ENV": '"production"' },
    external,
    plugins: [replacing, namedExports],
  });
  const entry = await readFile(join(root, "cli/census.cjs"), "utf8");
  await writeFile(join(folder, "census.cjs"), entry.replace("./main.ts", "./census.js"), { mode: 0o755 });
  return metafile;
}
