import { fetchJson } from "../data/fetch-json.ts";
import { RequestError } from "../data/request-error.ts";
import { jsonProblem, meaningProblem, type QueryProblem, syntaxProblem } from "./problems.ts";
import type { QueryLanguage } from "./query-language.ts";

let checking: AbortController | undefined;

/** What is wrong with a query: first its form, which is checked here, then its meaning, which the server knows. */
export async function problemsOf(text: string, language: QueryLanguage): Promise<QueryProblem[]> {
  checking?.abort();
  // Only the engine knows SQL: what is wrong with a statement is known when it runs.
  if (language === "sql") return [];
  const problem = language === "pql" ? syntaxProblem(text) : jsonProblem(text);
  if (problem !== undefined) return [problem];
  if (text.trim() === "") return [];
  const own = new AbortController();
  checking = own;
  try {
    await fetchJson({ path: "/pdb/query/v4", parameters: { query: text, ast_only: true } }, own.signal);
    return [];
  } catch (error) {
    // A check that was aborted, or that the server could not do, finds nothing.
    const found = error instanceof RequestError ? meaningProblem(text, error) : undefined;
    return found === undefined ? [] : [found];
  }
}
