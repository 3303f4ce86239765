import { isObject, parseJson, stringifyJson, type Json } from "#storage/json.ts";
import type { ObservedLine } from "./observed-line.ts";
import { PLAIN_RULES, type CompareMode, type CompareRules } from "./recording.ts";

const ROOT = "/pdb/query/v4";

/** What the rules look at in a request: its parameters, whether they came in the URL or in a body. */
type Request = Pick<ObservedLine, "method" | "path" | "params" | "body">;

/** How an observed answer is compared: the rules of reference/query.md §12. */
export function observedRules(line: Omit<ObservedLine, "headers" | "content_type">): CompareRules {
  const orderedBy = orderColumns(line);
  const mode = modeOf(line, orderedBy.length > 0);
  return {
    ...PLAIN_RULES,
    mode,
    mask: serverTimes(line),
    unorderedNames: true,
    ...(mode === "ordered" && orderedBy.length > 0 ? { orderedBy } : {}),
  };
}

function modeOf(line: Omit<ObservedLine, "headers" | "content_type">, ordered: boolean): CompareMode {
  if (line.status >= 500) return "refusal";
  if (line.method === "HEAD") return "type";
  if (line.text !== undefined) return "text";
  if (line.json === undefined) return "status";
  if (ordered || line.params["ast_only"] === "true") return "ordered";
  return Array.isArray(line.json) && isPaged(line) ? "count" : "set";
}

/** Columns of rows that hold the server's own clock, besides those that always do (normal-form.ts). */
function serverTimes(request: Request): string[] {
  const text = queryText(request);
  const stamped = ["receive_time", "report_receive_time", "facts_timestamp", "catalog_timestamp"];
  const own = ofFactsets(request.path, text) ? ["timestamp"] : [];
  const aggregate = new RegExp(
    String.raw`\b(min|max|to_string)"?\s*[,(]\s*"?(?:${[...stamped, ...own].join("|")})\b`,
    "g",
  );
  return [...own, ...[...text.matchAll(aggregate)].map(([, name = ""]) => name)];
}

/** Factsets and inventory rows carry the time of arrival as `timestamp`; everywhere else it is the agent's. */
function ofFactsets(path: string, query: string): boolean {
  if (path === ROOT) return /^\s*(?:\[\s*"from"\s*,\s*")?(?:factsets|inventory)\b/.test(query);
  return /\/(?:factsets|inventory)\b/.test(path);
}

export function isPaged(request: Request): boolean {
  return ["limit", "offset"].some((name) => (parameter(request, name) ?? "") !== "" || hasClause(request, name));
}

/** Whether a subquery takes some of its rows: which ones is arbitrary, unless its order is of every column. */
export function pagesInside(request: Request): boolean {
  const clause = ["limit", "offset"].find((name) => new RegExp(String.raw`\b${name}\b`).test(queryText(request)));
  return clause !== undefined && !hasClause(request, clause);
}

function hasClause(request: Request, name: string): boolean {
  return request.path === ROOT && clauses(queryText(request)).some((clause) => clause.name === name);
}

/** The columns an answer's rows are ordered by, in the URL or the body, or at the top of the query itself. */
function orderColumns(request: Request): string[] {
  const given = parameter(request, "order_by");
  const outer = typeof given === "string" ? parseOr(given) : given;
  const inner = request.path === ROOT ? clauses(queryText(request)).filter((clause) => clause.name === "order_by") : [];
  return [outer, ...inner.map((clause) => clause.argument)].flatMap((fields) =>
    Array.isArray(fields) ? fields.flatMap(columnName) : [],
  );
}

/** A column of `order_by`: `{"field": "a"}` in a parameter, `"a"` or `["a", "desc"]` in a query. */
function columnName(field: Json): string[] {
  const name = isObject(field) ? field["field"] : Array.isArray(field) ? field[0] : field;
  return typeof name === "string" ? [name] : [];
}

function parameter({ params, body }: Request, name: string): Json | undefined {
  return params[name] ?? (isObject(body) ? body[name] : undefined);
}

function queryText(request: Request): string {
  const query = parameter(request, "query") ?? "";
  return typeof query === "string" ? query : stringifyJson(query);
}

function parseOr(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

interface Clause {
  readonly name: string;
  readonly argument: Json | undefined;
}

/** The paging clauses at the top of a query for the root endpoint; those of subqueries decide nothing about the answer. */
function clauses(query: string): Clause[] {
  if (!query.trimStart().startsWith("[")) return pqlClauses(query);
  const ast = parseOr(query);
  if (!Array.isArray(ast)) return [];
  return ast.filter(Array.isArray).map(([name, argument]) => ({ name: String(name), argument }));
}

function pqlClauses(query: string): Clause[] {
  return [...outermostBlock(query).matchAll(/\b(order by|limit|offset)\s+([\w.]+(?:\s*,\s*[\w.]+)*)/g)].map(
    ([, name = "", argument = ""]) => ({
      name: name.replace(" ", "_"),
      argument: argument.split(",").map((column) => column.trim()),
    }),
  );
}

/** What is between a PQL query's outermost braces, without strings and inner blocks. */
function outermostBlock(query: string): string {
  const code = query.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "");
  let [depth, block] = [0, ""];
  for (const character of code) {
    if (character === "}") depth--;
    if (depth === 1) block += character;
    if (character === "{") depth++;
  }
  return block;
}
