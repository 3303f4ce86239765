import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { isArchiveHead, SNIFF_BYTES } from "#storage/archive/members.ts";

/** Directories of an unpacked archive, one of which it has. */
const CONTENTS: ReadonlySet<string> = new Set(["facts", "catalogs", "reports"]);

/** An argument that is a source, and the option for it. */
export interface RecognisedSource {
  readonly option: "archive" | "data" | "url";
  readonly word: string;
}

/** Endings of archives, for the message about one that does not exist. */
const ENDINGS = /\.(?:tgz|tar|tar\.gz|zip)$/i;

/** The source that a word names: a URL, or recognised by its content an archive, packed or not, or a data directory. */
export function sourceOf(word: string): RecognisedSource | undefined {
  if (/^https?:\/\//i.test(word)) return { option: "url", word };
  const info = statSync(word, { throwIfNoEntry: false });
  if (info?.isFile() === true) return isArchiveFile(word) ? { option: "archive", word } : undefined;
  if (info === undefined && ENDINGS.test(word)) return { option: "archive", word };
  if (info?.isDirectory() !== true) return undefined;
  if (existsSync(join(word, "census.duckdb"))) return { option: "data", word };
  const names = namesIn(word);
  const isUnpacked = [names, ...(names.length === 1 ? names.map((name) => namesIn(join(word, name))) : [])].some(
    (inside) => inside.some((name) => CONTENTS.has(name)),
  );
  return isUnpacked ? { option: "archive", word } : undefined;
}

function isArchiveFile(path: string): boolean {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(SNIFF_BYTES);
      return isArchiveHead(head.subarray(0, readSync(file, head)));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Whether an argument is the address of a server that can be followed, with a name before it or without. */
export function isOrigin(word: string): boolean {
  return /^(?:[\w.-]+=)?https?:\/\//i.test(word);
}
