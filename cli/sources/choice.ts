import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import { readNow } from "../options.ts";
import type { ContactArguments } from "./contact-options.ts";
import type { SourceArguments } from "./options.ts";

/** What a question is put to. */
export type SourceChoice =
  | {
      readonly kind: "archive";
      readonly path: string;
      readonly clock: Clock | undefined;
      /** Whether what opening it makes is kept, and used the next time. */
      readonly cached: boolean;
    }
  | { readonly kind: "data"; readonly path: string; readonly clock: Clock | undefined }
  | { readonly kind: "url"; readonly contact: ContactArguments };

/** The file inside a data directory by which one is known; `storage/store.ts` makes it. */
const DATABASE = "census.duckdb";

/**
 * The one source that a command line names; a running server when it names none. Nothing is opened yet.
 * @param command the command's name, for messages
 * @param word a source named by a word instead of an option
 * @throws UsageError when several are named, or a clock for a server, which has its own
 */
export function chooseSource(command: string, args: SourceArguments, word?: string): SourceChoice {
  const { archive, data, url, urls } = args;
  const given = Object.entries({ archive, data, url, urls }).filter(([, value]) => value !== undefined);
  const names = [...(word === undefined ? [] : [JSON.stringify(word)]), ...given.map(([name]) => `--${name}`)];
  if (names.length > 1) throw new UsageError(`${command}: ${names.join(" and ")} cannot be used together`);
  const choice = word === undefined ? byOption(args) : byWord(args, word);
  if (choice.kind === "url" && args.now !== undefined) {
    throw new UsageError(`${command}: --now needs an archive or a data directory; a server has its own clock`);
  }
  return choice;
}

function byOption(args: SourceArguments): SourceChoice {
  if (args.archive !== undefined) return archiveChoice(args, args.archive);
  if (args.data !== undefined) return { kind: "data", path: args.data, clock: readNow(args.now) };
  return { kind: "url", contact: args };
}

/** A word is told by what it is: an address, a folder with a store, else an archive or the folder of one. */
function byWord(args: SourceArguments, word: string): SourceChoice {
  if (/^https?:\/\//i.test(word)) return { kind: "url", contact: { ...args, url: word, urls: undefined } };
  if (existsSync(join(word, DATABASE))) return { kind: "data", path: word, clock: readNow(args.now) };
  return archiveChoice(args, word);
}

function archiveChoice({ now, cache }: SourceArguments, path: string): SourceChoice {
  return { kind: "archive", path, clock: readNow(now), cached: cache !== false };
}
