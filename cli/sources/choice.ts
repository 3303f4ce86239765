import type { Clock } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { type Moment, readMoment } from "../moment.ts";
import { readNow } from "../options.ts";
import type { ContactArguments } from "./contact-options.ts";
import type { SourceArguments } from "./options.ts";
import { sourceOf } from "./recognised.ts";

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

/**
 * The source of a command line, else that of the variable `CENSUS_ARCHIVE`, else a running server. Nothing is opened yet.
 * @param command the command's name, for messages
 * @param word a source given as an argument instead of an option
 * @throws UsageError when several are given, or `--now` for a server
 */
export function chooseSource(
  command: string,
  args: SourceArguments,
  word?: string,
  env: NodeJS.ProcessEnv = process.env,
): SourceChoice {
  const { archive, data, url, urls } = args;
  const given = Object.entries({ archive, data, url, urls }).filter(([, value]) => value !== undefined);
  const names = [...(word === undefined ? [] : [JSON.stringify(word)]), ...given.map(([name]) => `--${name}`)];
  if (names.length > 1) throw new UsageError(`${command}: ${names.join(" and ")} cannot be used together`);
  const place = word ?? (given.length === 0 ? placeOfSession(command, env) : undefined);
  const choice = byOption(place === undefined ? args : withPlace(args, place));
  const asOf = args["as-of"];
  if (choice.kind === "url" && args.now !== undefined) {
    throw new UsageError(`${command}: --now needs an archive or a data directory; a server has its own clock`);
  }
  return asOf === undefined ? choice : { ...choice, asOf: readMoment("--as-of", asOf) };
}

/** Whether a variable names the source of all commands. */
export function isNamedBySession(
  { CENSUS_ARCHIVE: archive, CENSUS_URL: url }: NodeJS.ProcessEnv = process.env,
): boolean {
  return [archive, url].some((value) => value !== undefined && value !== "");
}

/** @throws UsageError when two variables name a source */
function placeOfSession(command: string, env: NodeJS.ProcessEnv): string | undefined {
  const { CENSUS_ARCHIVE: archive = "", CENSUS_URL: url = "" } = env;
  if (archive !== "" && url !== "") {
    throw new UsageError(`${command}: CENSUS_ARCHIVE and CENSUS_URL are both set; unset one, or name the source`);
  }
  return archive === "" ? undefined : archive;
}

function byOption(args: SourceArguments): PlaceChoice {
  const { archive: path, now, cache } = args;
  if (path !== undefined) return { kind: "archive", path, clock: readNow(now), cached: cache !== false };
  if (args.data !== undefined) return { kind: "data", path: args.data, clock: readNow(args.now) };
  return { kind: "url", contact: args };
}

/** What is nothing else is an archive. */
function withPlace(args: SourceArguments, word: string): SourceArguments {
  return { ...args, [sourceOf(word)?.option ?? "archive"]: word };
}
