import { gzipSync } from "node:zlib";
import type { BuiltPages } from "#app/explorer/build/build.ts";
import { loadedFiles, withImports } from "#app/explorer/build/loaded-files.ts";
import { shell } from "#app/explorer/shell.ts";
import { CensusError } from "#storage/errors.ts";

/** Sizes of the explorer's pages, bytes; all but the shell as they are sent, compressed. */
export interface PageSizes {
  /** The largest HTML, not compressed. */
  readonly shell: number;
  readonly style: number;
  /** By page: `nodes`, `query`. */
  readonly pages: Readonly<Record<string, PageSize>>;
  /** Everything that any page loads. */
  readonly all: number;
}

export interface PageSize {
  /** The page's own code, without code shared with other pages. */
  readonly own: number;
  /** Everything that is loaded when this page is opened first. */
  readonly first: number;
  /** The same with code that it loads on demand, such as an editor. */
  readonly whole: number;
  /** How many files of the program are loaded when this page is opened first. */
  readonly files: number;
}

/** A size that a build must not exceed, bytes. */
export interface SizeLimit {
  readonly what: string;
  readonly size: number;
  readonly limit: number;
}

const KB = 1000;

/** The page with the editor. */
const WORKBENCH = "query";

/** Compressed as it is embedded. */
export function compressed(content: Uint8Array): Buffer {
  return gzipSync(content, { level: 9 });
}

/** Measures the files that each page loads. */
export function pageSizes({ entries, files, metafile: { outputs } }: BuiltPages): PageSizes {
  const sizes = new Map([...files].map(([name, content]) => [name, compressed(content).length]));
  const sum = (names: Iterable<string>): number =>
    [...names].reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
  const { atStart, pages } = loadedFiles(outputs, entries.main);
  const common = sum([...atStart, entries.style, entries.theme, entries.icon]);
  return {
    shell: Math.max(...Object.keys(entries.pages).map((path) => Buffer.byteLength(shell(entries, path)))),
    style: sum([entries.style]),
    pages: Object.fromEntries(
      [...pages].map(([page, names]) => {
        const whole = withImports(outputs, names, { later: true, without: atStart });
        return [
          page,
          {
            own: sum(names.slice(0, 1)),
            first: common + sum(names),
            whole: common + sum(whole),
            files: atStart.length + names.length,
          },
        ];
      }),
    ),
    all: sum(sizes.keys()),
  };
}

/** The limits of sizes (explorer.md, "Sizes"). */
export function limitsOf({ shell, style, pages, all }: PageSizes): SizeLimit[] {
  const others = Object.entries(pages).filter(([page]) => page !== WORKBENCH);
  const { [WORKBENCH]: workbench } = pages;
  return [
    { what: "the HTML", size: shell, limit: 2048 },
    { what: "the style sheet", size: style, limit: 10 * KB },
    ...others.map(([page, { first }]) => ({ what: `the first load of ${page}`, size: first, limit: 70 * KB })),
    ...Object.entries(pages).map(([page, { own }]) => ({
      what: `the code of ${page} alone`,
      size: own,
      limit: 12 * KB,
    })),
    ...others.map(([page, { whole }]) => ({ what: `${page} with all of its parts`, size: whole, limit: 110 * KB })),
    { what: `${WORKBENCH} with its editor`, size: workbench?.whole ?? 0, limit: 230 * KB },
    { what: "everything together", size: all, limit: 350 * KB },
  ];
}

/** @throws CensusError "bad-file" naming the files that are too large */
export function checkSizes(built: BuiltPages): void {
  const large = limitsOf(pageSizes(built)).filter(({ size, limit }) => size > limit);
  if (large.length === 0) return;
  const list = large.map(({ what, size, limit }) => `${what}: ${size} of ${limit} bytes`);
  throw new CensusError("bad-file", `the explorer's pages are too large: ${list.join("; ")}`);
}
