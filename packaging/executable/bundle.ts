import { join, relative } from "node:path";
import { build, type BuildOptions, type Plugin, transform } from "esbuild";
import { lateFetch } from "./late-fetch.ts";
import { root } from "./places.ts";

/** The program's code as it goes into the executable. */
export interface Bundle {
  /** What Node runs: the loader, and a call that has it run the program. */
  readonly main: string;
  /** The loader alone, for threads. */
  readonly loader: string;
  /** Everything else, by the names that the loader knows them by. */
  readonly pieces: ReadonlyMap<string, string>;
  /** The piece that exports `rehearse`: not for the executable, but for making it; undefined: nothing is rehearsed. */
  readonly rehearsal?: { readonly name: string; readonly text: string };
  /** The packages that something of is in it, by the folders they are installed in, from the project's. */
  readonly packages: readonly string[];
}

const inside = join(import.meta.dirname, "inside");

/** Files of the project that others stand for in the packaged program. */
const replaced: Readonly<Record<string, string>> = {
  [join(root, "storage/engine/native-library.ts")]: join(inside, "native-library.ts"),
  [join(root, "fixtures/base-folder.ts")]: join(inside, "base-folder.ts"),
  [join(root, "storage/ingest/threads/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "storage/postgres/regex/worker-code.ts")]: join(inside, "worker-code.ts"),
  [join(root, "app/query/worker-code.ts")]: join(inside, "worker-code.ts"),
};

/** What threads run, by the names that the loader knows it by. */
const threads: Readonly<Record<string, string>> = {
  "prepare-worker": join(root, "storage/ingest/threads/prepare-worker.ts"),
  "match-worker": join(root, "storage/postgres/regex/match-worker.ts"),
  "question-worker": join(root, "app/query/question-worker.ts"),
};

/** Packages that something else stands for. */
const replacedPackages: Readonly<Record<string, string>> = {
  "@duckdb/node-bindings": join(inside, "bindings.cjs"),
  // Of `listhen`, for certificates and QR codes of development: a fifth of all that a server would load.
  "node-forge": join(inside, "absent.cjs"),
  uqr: join(inside, "absent.cjs"),
};

/**
 * Parts of Node that packages load along and of which we have them call nothing: a browser to open, HTTP/2 and TLS of
 * their own. They take a tenth of a start.
 */
const unusedBuiltins: readonly { readonly by: RegExp; readonly names: readonly string[] }[] = [
  { by: /node_modules[/\\]listhen[/\\]/, names: ["node:https", "node:child_process"] },
  { by: /node_modules[/\\]srvx[/\\]/, names: ["node:https", "node:http2"] },
];

/** `listhen` would bring the log's layout for terminals along, which takes as long to load as the rest of it. */
const basicLog = { by: /node_modules[/\\]listhen[/\\]/, name: "consola", instead: "consola/basic" } as const;

/** What is left out, for nothing we call ever asks for it. */
const absent = [
  // Of `unzipper`, for archives in a cloud.
  "@aws-sdk/client-s3",
  // Of `listhen`, for developing: reloading, tunnels, sockets, the clipboard.
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
  // Texts of ours, not only those of others: what is not ASCII would make a piece take twice its size in memory.
  charset: "ascii",
  logLevel: "warning",
  // A file of ours that asks where it lies would be told nothing: it needs one that stands for it.
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

/** Makes the code of the program; the same from the same files, wherever they lie. */
export async function bundleProgram(): Promise<Bundle> {
  const entries = { main: join(inside, "main.ts"), rehearsal: join(inside, "rehearsal.ts") };
  const { pieces, ...bundle } = await bundleEntries(entries, [lateFetch]);
  const name = "rehearsal.js";
  const text = pieces.get(name) ?? "";
  return { ...bundle, pieces: new Map([...pieces].filter(([piece]) => piece !== name)), rehearsal: { name, text } };
}

/**
 * The same of other programs, of which nothing is rehearsed.
 * @param entries what is loaded by name; `main` is what is run
 * @param plugins what is done to the code besides
 */
export async function bundleEntries(
  entries: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
): Promise<Bundle> {
  const [loader, { code, packages }] = await Promise.all([
    bundleLoader(),
    bundlePieces({ ...entries, ...threads }, plugins),
  ]);
  return { main: `${loader}load("main.js");`, loader, pieces: code, packages };
}

/** As a script that leaves the function `load` behind. */
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
 * Splits the program where it loads something later. esbuild splits ES modules alone, and the executable runs scripts:
 * so each piece is made one afterwards, a function of `module`, `exports` and `require`.
 */
async function bundlePieces(
  entryPoints: Readonly<Record<string, string>>,
  plugins: readonly Plugin[],
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
    plugins: [replacing, ...plugins],
    define: { "import.meta.dirname": "undefined", "import.meta.main": "false" },
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
    // A CommonJS package that is loaded later would come as the default export of a module, without names of its own.
    const isCommonJs = metafile.inputs[entryPoint]?.format === "cjs";
    const rest = isCommonJs ? "module.exports=module.exports.default;" : "";
    code.set(name, `(function(module,exports,require){${script}${rest}})`);
  }
  const folders = Object.keys(metafile.inputs).flatMap((input) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
    return folder === undefined ? [] : [folder];
  });
  return { code, packages: [...new Set(folders)].sort() };
}
