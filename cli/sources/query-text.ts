import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { Json } from "#storage/json.ts";

/** Whether a query is AST: it starts like a JSON array. */
export function isAst(query: string): boolean {
  return query.trimStart().startsWith("[");
}

/**
 * Parses a query in either language.
 * @throws QueryError or PqlSyntaxError
 */
export function astOrPql(query: string): { readonly query: Json } {
  return { query: isAst(query) ? parseQueryJson(query) : parsePql(query) };
}
