/** A file that the explorer's pages load. Its name contains a hash of its content, so it never changes. */
export interface Asset {
  /** Media type. */
  readonly type: string;
  /** Compressed, which is what nearly every client accepts. */
  gzip(): Uint8Array;
  plain(): Uint8Array;
}

/** Names of the files that the page itself links. */
export interface EntryNames {
  /** The program, an ES module. */
  readonly main: string;
  /** All styles. */
  readonly style: string;
  /** The script that sets the theme before anything is painted. */
  readonly theme: string;
  readonly icon: string;
  /** What the program loads at the start on every page, `main` first. */
  readonly atStart: readonly string[];
  /** What each page loads besides, by its path: `/explorer/nodes/:certname/:tab?`. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
}

/** The files of the pages. */
export interface Assets {
  readonly entries: EntryNames;
  find(name: string): Asset | undefined;
}

/** Where the files are served. */
export const assetsPath = "/explorer/assets";

const types: Readonly<Record<string, string>> = {
  css: "text/css;charset=utf-8",
  js: "text/javascript;charset=utf-8",
  svg: "image/svg+xml",
};

/** The media type of a file by the end of its name; there are no other kinds than these. */
export function assetType(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
