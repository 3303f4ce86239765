import { join, relative } from "node:path";
import { build, type BuildOptions, type Plugin, transform } from "esbuild";
import { bundledPackages } from "../bundled-packages.ts";
import { root } from "./places.ts";

/** The program's code in the executable. */
export interface Bundle {
  /** The script that Node runs: the loader, and a call that loads the program. */
  readonly main: string;
  /** The loader alone, for threads. */
  readonly loader: string;
  /** All other code, by the names that the loader uses. */
  readonly pieces: ReadonlyMap<string, string>;
  /** The piece that exports `warmUp`, run only to record the code cache; undefined: none is recorded. */
  readonly warmUp?: { readonly name: string; readonly text: string };
  /** The packages whose code is included: their directories, relative to the project. */
  readonly packages: readonly string[];
}

const inside = join(import.meta.dirname, "inside");

/** Files of the project that are replaced in the packaged program. */
const replaced: Readonly<Record<string, string>> = {
  [join(root, "storage/engine/native-library.ts")]: join(inside, "native-library.ts"),
  [join(root, "fixtures/base-folder.ts")]: join(inside, "base-folder.ts"),
  [join(root, "storage/ingest/threads/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "storage/postgres/regex/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "app/query/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "app/sign-in/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "app/explorer/assets.ts")]: join(inside, "explorer-assets.ts"),
};

/** Entries of threads, by the names that the loader uses. */
const threads: Readonly<Record<string, string>> = {
  "prepare-worker": join(root, "storage/ingest/threads/prepare-worker.ts"),
  "match-worker": join(root, "storage/postgres/regex/match-worker.ts"),
  "query-worker": join(root, "app/query/query-worker.ts"),
  "password-worker": join(root, "app/sign-in/password-worker.ts"),
};

/** Packages that are replaced. */
const replacedPackages: Readonly<Record<string, string>> = {
  "@duckdb/node-bindings": join(inside, "bindings.cjs"),
  // `listhen` imports these for certificates and QR codes during development: a fifth of a server's code.
  "node-forge": join(inside, "absent.cjs"),
  uqr: join(inside, "absent.cjs"),
};

/**
 * Modules of Node that packages import but never use in our program: opening a browser, their own HTTP/2 and TLS. Loading
 * them takes a tenth of a start.
 */
const unusedBuiltins: readonly { readonly by: RegExp; readonly names: readonly string[] }[] = [
  { by: /node_modules[/\\]listhen[/\\]/, names: ["node:https", "node:child_process"] },
  { by: /node_modules[/\\]srvx[/\\]/, names: ["node:https", "node:http2"] },
];

/** `listhen` imports the log with its terminal layout, which takes as long to load as `listhen` itself. */
const basicLog = { by: /node_modules[/\\]listhen[/\\]/, name: "consola", instead: "consola/basic" } as const;

/** Optional imports that are left out, because our program never reaches them. */
const absent = [
  // `unzipper`: archives in cloud storage.
  "@aws-sdk/client-s3",
  // `listhen`: development tools (reloading, tunnels, sockets, the clipboard).
  "@parcel/watcher",
  "@parcel/watcher-wasm",
  "crossws",
  "crossws/adapters/node",
  "jiti",
  "tinyclip",
  "untun",
];

const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  write: false,
  platform: "node",
  target: "node24",
  legalComments: "none",
  // Escape non-ASCII characters: V8 would need twice the memory for a piece with one.
  charset: "ascii",
  logLevel: "warning",
  // `import.meta` is empty in a bundle, so a file that uses it must be replaced.
  logOverride: { "empty-import-meta": "error" },
} as const satisfies BuildOptions;

const replacing: Plugin = {
  name: "replacing",
  setup: (building) => {
    building.onResolve({ filter: /./ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === replacing) return undefined;
      const replacement = replacedPackages[path];
      if (replacement !== undefined) return { path: replacement };
      if (unusedBuiltins.some(({ by, names }) => names.includes(path) && by.test(options.importer))) {
        return { path: join(inside, "absent.cjs") };
      }
      if (path === basicLog.name && basicLog.by.test(options.importer)) {
        return building.resolve(basicLog.instead, { ...options, pluginData: replacing });
      }
      if (!/^[.#]/.test(path)) return undefined;
      const found = await building.resolve(path, { ...options, pluginData: replacing });
      const other = replaced[found.path];
      return other === undefined ? undefined : { path: other };
    });
  },
};

/** Bundles the program. The result depends on the files only, not on their location. */
export async function bundleProgram(): Promise<Bundle> {
  const entries = { main: join(inside, "main.ts"), "warm-up": join(inside, "warm-up.ts") };
  const { pieces, ...bundle } = await bundleEntries(entries);
  const name = "warm-up.js";
  const text = pieces.get(name) ?? "";
  return { ...bundle, pieces: new Map([...pieces].filter(([piece]) => piece !== name)), warmUp: { name, text } };
}

/**
 * Bundles another program, without a code cache.
 * @param entries the source file of each entry by its name; Node runs `main`
 */
export async function bundleEntries(entries: Readonly<Record<string, string>>): Promise<Bundle> {
  const [loader, { code, packages }] = await Promise.all([bundleLoader(), bundlePieces({ ...entries, ...threads })]);
  return { main: `${loader}load("main.js");`, loader, pieces: code, packages };
}

/** A script that defines the function `load`. */
async function bundleLoader(): Promise<string> {
  const { outputFiles } = await build({
    ...common,
    entryPoints: [join(inside, "loader.ts")],
    format: "iife",
    globalName: "loader",
  });
  return `${outputFiles[0]?.text.trimEnd()}const{load}=loader;`;
}

/**
 * Splits the program at its dynamic imports. esbuild splits ES modules only, but the executable runs scripts, so each
 * piece is converted afterwards to a function of `module`, `exports` and `require`.
 */
async function bundlePieces(
  entryPoints: Readonly<Record<string, string>>,
): Promise<{ code: Map<string, string>; packages: string[] }> {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { ...entryPoints },
    format: "esm",
    splitting: true,
    outdir: root,
    entryNames: "[name]",
    chunkNames: "[name]-[hash]",
    metafile: true,
    external: absent,
    plugins: [replacing],
    define: { "process.env.NODE_ENV": '"production"', "import.meta.dirname": "undefined", "import.meta.main": "false" },
  });
  const code = new Map<string, string>();
  for (const { path, text } of outputFiles.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = relative(root, path);
    const { code: script } = await transform(text.replace(/^#!.*\n/, ""), {
      format: "cjs",
      platform: "node",
      minify: true,
      target: "node24",
      charset: "ascii",
      supported: { "dynamic-import": false },
    });
    const { entryPoint = "" } = metafile.outputs[name] ?? {};
    // A dynamically imported CommonJS package would otherwise be the default export of a module without named exports.
    const isCommonJs = metafile.inputs[entryPoint]?.format === "cjs";
    const rest = isCommonJs ? "module.exports=module.exports.default;" : "";
    code.set(name, `(function(module,exports,require){${script}${rest}})`);
  }
  return { code, packages: bundledPackages(metafile) };
}
