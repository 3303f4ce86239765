import { CensusError } from "#storage/errors.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { declaredAt } from "../short-forms/events.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { FoundDeclaration } from "./manifests.ts";

/**
 * The declarations that no catalog of an active node has.
 * @throws CensusError "not-found" when there are no catalogs
 */
export async function unused(declarations: readonly FoundDeclaration[], readRows: ReadRows): Promise<JsonObject[]> {
  const classes = await readRows('resources[title, count()] { type = "Class" group by title }');
  const types = await readRows("resources[type, count()] { group by type }");
  if (types.length === 0) throw new CensusError("not-found", "unused: the source contains no catalogs");
  const used = {
    class: new Set(classes.map(({ title }) => cellText(title).toLowerCase())),
    define: new Set(types.map(({ type }) => cellText(type).toLowerCase())),
  };
  return declarations
    .filter(({ kind, name }) => !used[kind].has(name))
    .map(({ kind, name, file, line }) => ({ kind, name, declared: declaredAt(file, line) }));
}
