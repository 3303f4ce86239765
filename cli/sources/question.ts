import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { Json } from "#storage/json.ts";

/** Whether a query is AST: it starts like a JSON array. */
export function isAst(question: string): boolean {
  return question.trimStart().startsWith("[");
}

/**
 * Parses a query in either language.
 * @throws QueryError or PqlSyntaxError
 */
export function astOrPql(question: string): { readonly query: Json } {
  return { query: isAst(question) ? parseQueryJson(question) : parsePql(question) };
}
