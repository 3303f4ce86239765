import type { Metafile } from "esbuild";

/** The directories of the packages whose code a bundle contains, relative to the project, in order. */
export function bundledPackages(...bundles: readonly Pick<Metafile, "inputs">[]): string[] {
  const folders = bundles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((input) => {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
      return folder === undefined ? [] : [folder];
    });
  return [...new Set(folders)].sort();
}
