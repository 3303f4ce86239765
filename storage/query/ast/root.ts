import type { Json } from "../../json.ts";
import { entities, type Entity, factsetsWithPackages, nodesWithExpiration } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import { fromForm, isPagingClause, readPaging, type WantedPaging } from "./paging.ts";

/** Options of a request or of the site for the entities. */
export interface EntityOptions {
  readonly includeFactsExpiration?: boolean;
  readonly includePackageInventory?: boolean;
  /** Include reports of plans, whether or not a query mentions the type. */
  readonly everyReportType?: boolean;
}

/** The entity with this name, as the options define it. */
export function entityNamed(name: string, options: EntityOptions = {}): Entity | undefined {
  if (name === "nodes" && options.includeFactsExpiration === true) return nodesWithExpiration;
  if (name === "factsets" && options.includePackageInventory === true) return factsetsWithPackages;
  return Object.hasOwn(entities, name) ? entities[name] : undefined;
}

/** The parts of `["from", entity, query?, paging…]`. */
export interface From {
  /** As the query spells it: the exact spelling decides whether rows are limited to active nodes. */
  readonly name: string;
  readonly entity: Entity;
  readonly query: Json | undefined;
  readonly paging: WantedPaging;
}

/**
 * Reads the outermost form of a root query.
 * @param replaced paging clauses that parameters of the request replace
 * @throws QueryError when it has another form, or names an unknown entity
 */
export function readFrom(
  ast: Json | undefined,
  options: EntityOptions = {},
  replaced: Parameters<typeof readPaging>[1] = new Set(),
): From {
  if (!Array.isArray(ast) || ast[0] !== "from" || typeof ast[1] !== "string") throw new QueryError(fromForm);
  const [, name, ...rest] = ast;
  const entity = entityNamed(name.replaceAll("-", "_"), options);
  if (entity === undefined) throw new QueryError(`Invalid entity '${name.replaceAll("-", "_")}' in query`);
  const hasQuery = rest.length > 0 && !isPagingClause(rest[0]);
  const [query, clauses] = hasQuery ? [rest[0] ?? undefined, rest.slice(1)] : [undefined, rest];
  return { name, entity, query, paging: readPaging(clauses, replaced) };
}

/** Whether the query mentions node_state, at any depth (`reference/query.md §3`). */
export function mentionsNodeState(ast: Json | undefined): boolean {
  if (!Array.isArray(ast)) return false;
  const [op, field] = ast;
  if (op === "=" && ast.length === 3) {
    if (field === "node_state") return true;
    if (Array.isArray(field) && field[0] === "node" && field[1] === "active") return true;
  }
  return ast.some(mentionsNodeState);
}
