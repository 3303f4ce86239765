import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildFailure, BuildOptions, Metafile, Plugin } from "esbuild";
import { CensusError } from "#storage/errors.ts";
import { assetsPath, type EntryNames } from "../asset.ts";
import { paths } from "../pages/address/pages.ts";
import { loadedFiles } from "./loaded-files.ts";
import { startFile } from "./start-file.ts";

/** The pages as browsers load them. */
export interface BuiltPages {
  readonly entries: EntryNames;
  /** Contents by file name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What each file is made of; paths are relative to the project. */
  readonly metafile: Metafile;
}

const root = join(import.meta.dirname, "../../..");

/** Relative to the project. */
const pages = "app/explorer/pages";

/** The module that is loaded first. */
const main = `${pages}/main.tsx`;

/**
 * Bundles the pages: one program that is split at its dynamic imports, one style sheet, the script for the theme, the icon.
 * The result depends on the files only, not on their location.
 * @throws CensusError "bad-file" with the bundler's messages
 */
export async function buildPages(): Promise<BuiltPages> {
  // Loaded on demand: only a service that runs from source bundles.
  const { build, formatMessages } = await import("esbuild").catch((error: unknown) => {
    throw new CensusError("bad-file", "the explorer's pages need esbuild: run npm ci", { cause: error });
  });
  try {
    const bundle = async (...plugins: readonly Plugin[]): Promise<Part> =>
      build({
        ...common,
        entryPoints: { main },
        format: "esm",
        splitting: true,
        plugins: [...plugins, withoutPrerendering],
      });
    const { metafile } = await bundle();
    const [program, theme, style] = await Promise.all([
      bundle(startFile(metafile, main, root)),
      build({ ...common, entryPoints: { theme: `${pages}/theme.ts` }, format: "iife" }),
      build({ ...common, entryPoints: { style: `${pages}/style/style.css` } }),
    ]);
    // What the sources import is in the first one.
    const { outputs } = program.metafile;
    return together([{ ...program, metafile: { inputs: metafile.inputs, outputs } }, theme, style]);
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (errors === undefined) throw error;
    const messages = await formatMessages([...errors], { kind: "error", color: false });
    throw new CensusError("bad-file", `the explorer's pages cannot be built\n\n${messages.join("\n")}`, {
      cause: error,
    });
  }
}

const common = {
  absWorkingDir: root,
  outdir: root,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: `${assetsPath}/`,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  platform: "browser",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "silent",
  loader: { ".svg": "file" },
  // The options are all here, so that no other configuration file has a part in the result.
  tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact", verbatimModuleSyntax: true } },
} as const satisfies BuildOptions;

/** The router can render on a server, which nothing here does. */
const withoutPrerendering: Plugin = {
  name: "without-prerendering",
  setup: (building) => {
    building.onResolve({ filter: /^\.\/prerender\.js$/ }, ({ path, importer }) =>
      /[/\\]preact-iso[/\\]/.test(importer) ? { path, external: true } : undefined,
    );
  },
};

interface Part {
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[];
  readonly metafile: Metafile;
}

function together(parts: readonly Part[]): BuiltPages {
  const icon = readFileSync(join(import.meta.dirname, "../icon.svg"));
  const hash = createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase();
  const iconName = `icon-${hash}.svg`;
  const built = parts.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => [nameOf(path), contents] as const),
  );
  const files = new Map<string, Uint8Array>([...built, [iconName, icon]]);
  const named = (start: string): string => {
    const name = [...files.keys()].find((each) => each.startsWith(`${start}-`));
    if (name === undefined) throw new Error(`the bundler wrote no ${start}`);
    return name;
  };
  const metafile: Metafile = {
    inputs: Object.assign({}, ...parts.map((part) => part.metafile.inputs)) as Metafile["inputs"],
    outputs: Object.assign({}, ...parts.map((part) => part.metafile.outputs)) as Metafile["outputs"],
  };
  const { atStart, pages: loaded } = loadedFiles(metafile.outputs, named("main"));
  const byPath = Object.entries(paths).map(([page, path]) => [path, loaded.get(page) ?? []] as const);
  const first = { main: named("main"), style: named("style"), theme: named("theme"), icon: iconName };
  return { entries: { ...first, atStart, pages: Object.fromEntries(byPath) }, files, metafile };
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
