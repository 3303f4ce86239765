import { type DocumentKind, kindsRead } from "../archive/document-kinds.ts";
import { Planner } from "./planner.ts";
import type { QuerySpec } from "./query.ts";

/** Makes plans without a store: which tables they read does not depend on its nodes. */
const planner = new Planner({
  nodes: { idOf: () => undefined },
  purgeHorizon: () => 0n,
  countsCorrective: false,
});

/**
 * The kinds of documents of an archive that a query reads.
 * @throws QueryError for an invalid query
 */
export function kindsOfQuery(spec: QuerySpec): ReadonlySet<DocumentKind> {
  return kindsRead(planner.plan(spec).rows.reads);
}
