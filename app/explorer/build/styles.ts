import type { Metafile, Plugin } from "esbuild";

/**
 * The bundler would write a separate style sheet for each part of the program, and nothing would link those of the parts
 * that are loaded later. So the program is bundled without styles, and all are put into one sheet.
 */
export const collectingStyles: Plugin = {
  name: "collecting-styles",
  setup: (building) => {
    building.onLoad({ filter: /\.css$/ }, () => ({ contents: "", loader: "js" }));
  },
};

/**
 * The style sheets that a program imports, in the order in which its modules run: those of shared parts come before those
 * of the pages that use them, and what is imported at once before what is loaded later.
 * @param entry relative to the project, as are the results
 */
export function styleOrder({ inputs }: Metafile, entry: string): string[] {
  const seen = new Set<string>();
  const styles: string[] = [];
  const later: string[] = [];
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    if (path.endsWith(".css")) styles.push(path);
    for (const { path: imported, kind } of inputs[path]?.imports ?? []) {
      if (kind === "dynamic-import") later.push(imported);
      else visit(imported);
    }
  };
  visit(entry);
  for (let next = later.shift(); next !== undefined; next = later.shift()) visit(next);
  return styles;
}

/** Makes the entry `style` of these sheets. */
export function styleSheet(paths: readonly string[], root: string): Plugin {
  return {
    name: "style-sheet",
    setup: (building) => {
      building.onResolve({ filter: /^style$/ }, ({ kind }) =>
        kind === "entry-point" ? { path: "style", namespace: "style-sheet" } : undefined,
      );
      building.onLoad({ filter: /./, namespace: "style-sheet" }, () => ({
        contents: paths.map((path) => `@import ${JSON.stringify(`./${path}`)};\n`).join(""),
        loader: "css",
        resolveDir: root,
      }));
    },
  };
}
