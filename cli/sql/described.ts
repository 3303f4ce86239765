import { nearestWords } from "#storage/nearest-words.ts";
import { views } from "#storage/sql/views.ts";
import { UsageError } from "../errors.ts";
import type { Rows } from "../output/rows.ts";

/**
 * The views, or the columns of one, as rows of an answer.
 * @throws UsageError when there is no such view
 */
export async function* described(name: string | undefined): Rows {
  if (name === undefined) {
    yield views.map((view) =>
      JSON.stringify({ view: view.name, columns: view.columns.map((column) => column.name).join(", ") }),
    );
    return;
  }
  const view = views.find((candidate) => candidate.name === name);
  if (view !== undefined) {
    yield view.columns.map((column) => JSON.stringify({ column: column.name, type: column.type }));
    return;
  }
  const names = views.map((candidate) => candidate.name);
  const [near] = nearestWords(name, names);
  const hint = near === undefined ? `use one of ${names.join(", ")}` : `did you mean ${near}?`;
  throw new UsageError(`sql: unknown view ${JSON.stringify(name)}; ${hint}`);
}
