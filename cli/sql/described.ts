import type { JsonObject } from "#storage/json.ts";
import { views } from "#storage/sql/views.ts";
import { unknownName } from "../unknown-name.ts";

/**
 * The views, or the columns of one, as rows of an answer.
 * @throws UsageError when there is no such view
 */
export function described(name: string | undefined): JsonObject[] {
  if (name === undefined) {
    return views.map((view) => ({ view: view.name, columns: view.columns.map((column) => column.name).join(", ") }));
  }
  const view = views.find((candidate) => candidate.name === name);
  if (view !== undefined) return view.columns.map((column) => ({ column: column.name, type: column.type }));
  const names = views.map((candidate) => candidate.name);
  throw unknownName("sql: ", "view", name, names, `use one of ${names.join(", ")}`);
}
