import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { type Moment, readMoment } from "../moment.ts";
import { readNow } from "../options.ts";
import type { ContactArguments } from "./contact-options.ts";
import type { SourceArguments } from "./options.ts";

/** The source of a query. */
export type SourceChoice = PlaceChoice & {
  /** The moment whose state is queried; undefined: the present one. */
  readonly asOf?: Moment | undefined;
};

type PlaceChoice =
  | {
      readonly kind: "archive";
      readonly path: string;
      readonly clock: Clock | undefined;
      /** Whether to use the cache of opened archives. */
      readonly cached: boolean;
    }
  | { readonly kind: "data"; readonly path: string; readonly clock: Clock | undefined }
  | { readonly kind: "url"; readonly contact: ContactArguments };

/** The database file, which identifies a data directory. */
const DATABASE = "census.duckdb";

/**
 * The source of a command line; a running server by default. Nothing is opened yet.
 * @param command the command's name, for messages
 * @param word a source given as an argument instead of an option
 * @throws UsageError when several are given, or `--now` for a server
 */
export function chooseSource(command: string, args: SourceArguments, word?: string): SourceChoice {
  const { archive, data, url, urls } = args;
  const given = Object.entries({ archive, data, url, urls }).filter(([, value]) => value !== undefined);
  const names = [...(word === undefined ? [] : [JSON.stringify(word)]), ...given.map(([name]) => `--${name}`)];
  if (names.length > 1) throw new UsageError(`${command}: ${names.join(" and ")} cannot be used together`);
  const choice = word === undefined ? byOption(args) : byWord(args, word);
  const asOf = args["as-of"];
  if (choice.kind === "url" && args.now !== undefined) {
    throw new UsageError(`${command}: --now needs an archive or a data directory; a server has its own clock`);
  }
  return asOf === undefined ? choice : { ...choice, asOf: readMoment("--as-of", asOf) };
}

function byOption(args: SourceArguments): PlaceChoice {
  if (args.archive !== undefined) return archiveChoice(args, args.archive);
  if (args.data !== undefined) return { kind: "data", path: args.data, clock: readNow(args.now) };
  return { kind: "url", contact: args };
}

/** Detects the kind of a source: a URL, a directory with a store, else an archive or an unpacked one. */
function byWord(args: SourceArguments, word: string): PlaceChoice {
  if (/^https?:\/\//i.test(word)) return { kind: "url", contact: { ...args, url: word, urls: undefined } };
  if (existsSync(join(word, DATABASE))) return { kind: "data", path: word, clock: readNow(args.now) };
  return archiveChoice(args, word);
}

function archiveChoice({ now, cache }: SourceArguments, path: string): PlaceChoice {
  return { kind: "archive", path, clock: readNow(now), cached: cache !== false };
}
