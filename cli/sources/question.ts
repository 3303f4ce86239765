import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { Json } from "#storage/json.ts";

/** Whether a question is AST: it begins as a JSON array. */
export function isAst(question: string): boolean {
  return question.trimStart().startsWith("[");
}

/**
 * A question read, whichever language it is in, before any source is opened for it.
 * @throws QueryError or PqlSyntaxError
 */
export function astOrPql(question: string): { readonly query: Json } {
  return { query: isAst(question) ? parseQueryJson(question) : parsePql(question) };
}
