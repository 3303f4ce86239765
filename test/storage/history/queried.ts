import type { Store } from "#storage/store.ts";

/** The rows of a PQL query as JSON texts. */
export async function queriedTexts({ queries }: Pick<Store, "queries">, pql: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const rows of (await queries.run(queries.plan({ of: "root", pql }))).rows) texts.push(...rows.texts());
  return texts;
}
