import { type Facets, facetsOf, type FacetsSpec } from "#storage/query/facets/facets.ts";
import type { Store } from "#storage/store.ts";

/** Facets as the engine counts them. */
export async function counted({ queries }: Store, spec: FacetsSpec): Promise<Facets> {
  const texts: string[] = [];
  for await (const rows of (await queries.run(queries.planFacets(spec))).rows) texts.push(...rows.texts());
  return facetsOf(texts);
}

/** The same, from what is kept where that can be. */
export async function facets({ queries }: Store, spec: FacetsSpec): Promise<Facets> {
  return queries.facets(spec, queries.planFacets(spec));
}
