import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { QueryFile, SavedQuery } from "#storage/saved-queries/types.ts";
import type { Site } from "./api/shapes.ts";
import { matchesPage } from "./page-path.ts";
import { paths } from "./pages/address/pages.ts";

const none: Site = { title: null, queries: [], views: [], links: [], problem: null };

/** Texts for the system's error codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "cannot be read: permission denied",
  EISDIR: "is a directory, not a file",
};

/**
 * What is in the file that the setting `explorer-site` names. It is read for each request, so that it can be edited while the
 * service runs; what is wrong with it is shown where its contents would be. Left out are queries with a parameter without a
 * default.
 * @param sql whether the workbench runs SQL; otherwise queries in SQL are left out
 */
export async function readSite(path: string | undefined, { sql }: { readonly sql: boolean }): Promise<Site> {
  if (path === undefined) return none;
  // Messages do not show where it is on the server.
  const name = basename(path);
  try {
    const { readQueryFile } = await import("#storage/saved-queries/read.ts");
    const file = readQueryFile(name, await readFile(path, "utf8"));
    checkViews(file);
    return {
      title: file.title ?? null,
      queries: file.queries.flatMap((query) => (query.unset.length === 0 ? shown(query, sql) : [])),
      views: file.views.map((view) => ({ name: view.name, address: view.address })),
      links: file.links,
      problem: null,
    };
  } catch (error) {
    if (error instanceof CensusError) return { ...none, problem: error.message };
    const { code = "" } = error as NodeJS.ErrnoException;
    return { ...none, problem: `${name} ${reasons[code] ?? `cannot be read: ${messageOf(error)}`}` };
  }
}

/** @throws CensusError "bad-input" with the place of an address that no page has */
function checkViews({ path, views }: QueryFile): void {
  for (const { address, place } of views) {
    const [page = ""] = address.split(/[?#]/);
    if (Object.values(paths).some((pattern) => matchesPage(page, pattern))) continue;
    throw new CensusError("bad-input", `${path}:${place.line}:${place.column}: the explorer has no page ${page}`);
  }
}

function shown({ name, language, text, panel: kind }: SavedQuery, sql: boolean): Site["queries"] {
  // A page of the explorer lists them.
  if (language === "states") return [];
  const panel = kind ?? "none";
  if (language === "SQL") return sql ? [{ name, language: "sql", text, panel }] : [];
  return [{ name, language: language === "AST" ? "ast" : "pql", text, panel }];
}
