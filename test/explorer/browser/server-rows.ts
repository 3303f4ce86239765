import { type JsonObject, parseJson, stringifyJson } from "#storage/json.ts";

/** The rows of a query, from the server itself. */
export async function rowsOf(url: string, pql: string): Promise<JsonObject[]> {
  const response = await fetch(`${url}/pdb/query/v4`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: pql }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} for ${pql}: ${text}`);
  return parseJson(text) as JsonObject[];
}

/** The number of rows of a query of one entity: `nodes{ … }`. */
export async function countOf(url: string, pql: string): Promise<number> {
  const [row] = await rowsOf(url, pql.replace("{", "[count()]{"));
  return Number(row?.["count"]);
}

/** What the explorer says about itself. */
export async function aboutOf(url: string): Promise<{ now: string; settings: { silentAfter: number } }> {
  const response = await fetch(`${url}/explorer/api/v1/about`);
  return (await response.json()) as { now: string; settings: { silentAfter: number } };
}

/** A field of a row as text; "" where it is null. */
export function textOf(row: JsonObject | undefined, name: string): string {
  const value = row?.[name] ?? "";
  return typeof value === "string" ? value : stringifyJson(value);
}

/** One column of rows as texts. */
export function column(rows: readonly JsonObject[], name: string): string[] {
  return rows.map((row) => textOf(row, name));
}
