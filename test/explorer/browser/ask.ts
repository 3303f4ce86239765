import { type Json, type JsonObject, parseJson } from "#storage/json.ts";

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

/** The texts of one column of rows. */
export function column(rows: readonly JsonObject[], name: string): Json[] {
  return rows.map((row) => row[name] ?? null);
}
