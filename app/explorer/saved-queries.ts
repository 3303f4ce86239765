import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { SavedQuery } from "#storage/saved-queries/types.ts";

/** A saved query of the site, as the workbench shows it. */
export interface SiteQuery {
  readonly name: string;
  readonly language: "pql" | "ast";
  readonly text: string;
}

/** The saved queries of a site. */
export interface SiteQueries {
  readonly title: string | null;
  readonly queries: readonly SiteQuery[];
  /** Why the file cannot be used; null: it can. */
  readonly problem: string | null;
}

const none: SiteQueries = { title: null, queries: [], problem: null };

/** Texts for the system's error codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "cannot be read: permission denied",
  EISDIR: "is a directory, not a file",
};

/**
 * The queries of the file that the setting `explorer-queries` names. It is read for each request, so that it can be edited
 * while the service runs; what is wrong with it is shown where the queries would be. Left out are queries in SQL, which the
 * workbench cannot run, and those with a parameter without a default.
 */
export async function readSiteQueries(path: string | undefined): Promise<SiteQueries> {
  if (path === undefined) return none;
  // Messages do not show where it is on the server.
  const name = basename(path);
  try {
    const { readQueryFile } = await import("#storage/saved-queries/read.ts");
    const { title = null, queries } = readQueryFile(name, await readFile(path, "utf8"));
    return {
      title,
      queries: queries.flatMap((query) => (query.unset.length === 0 ? shown(query) : [])),
      problem: null,
    };
  } catch (error) {
    if (error instanceof CensusError) return { ...none, problem: error.message };
    const { code = "" } = error as NodeJS.ErrnoException;
    return { ...none, problem: `${name} ${reasons[code] ?? `cannot be read: ${messageOf(error)}`}` };
  }
}

function shown({ name, language, text }: SavedQuery): SiteQuery[] {
  if (language === "SQL") return [];
  return [{ name, language: language === "AST" ? "ast" : "pql", text }];
}
