import { CensusError } from "#storage/errors.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { parseQueryJson } from "#storage/query/ast/parse-json.ts";
import { mentionsNodeState } from "#storage/query/ast/root.ts";
import { entities } from "#storage/query/entities/index.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { EntityTarget } from "#storage/query/query.ts";
import { formPairs } from "./form-pairs.ts";
import { parseOrderBy, readOrderBy } from "./order-by.ts";

const WORKBENCH = "/explorer/query";

/**
 * The address of the explorer's workbench with the query of a URL. A query that cannot be read goes there as it was
 * sent: the workbench shows what is wrong with it.
 * @param rows what the URL's path queries; at the root the query names it
 * @param search the URL's query string, as it was sent
 */
export function workbenchAddress(rows: EntityTarget | "root", search: string): string {
  const given = new Map(formPairs(search).reverse());
  const text = given.get("query") ?? "";
  if (rows === "root" && text.trim() === "") return WORKBENCH;
  const paging = pagingClauses(given);
  const isAst = rows !== "root" || /^\s*\[/.test(text);
  if (!isAst && paging.length === 0) return addressWith("pql", text);
  const ast = readable(() => astOf(rows, text, paging));
  return ast === undefined ? addressWith(isAst ? "ast" : "pql", text) : addressWith("ast", stringifyJson(ast));
}

function addressWith(lang: "pql" | "ast", text: string): string {
  return `${WORKBENCH}#${new URLSearchParams({ lang, q: text }).toString()}`;
}

function astOf(rows: EntityTarget | "root", text: string, paging: readonly Json[]): Json {
  if (rows === "root") {
    const query = /^\s*\[/.test(text) ? parseQueryJson(text) : parsePql(text);
    return Array.isArray(query) ? [...query.filter((part) => !isReplaced(part, paging)), ...paging] : query;
  }
  const query = parseQueryJson(text);
  const limited = restricted(query, conditionsOf(rows, query));
  return ["from", rows.entity, ...(limited === null ? [] : [limited]), ...paging];
}

/** The URL's parameters win over clauses of the query. */
function isReplaced(part: Json, paging: readonly Json[]): boolean {
  return Array.isArray(part) && paging.some((clause) => Array.isArray(clause) && clause[0] === part[0]);
}

/** What the path fixes. At the root, queries are limited to active nodes unless they say otherwise. */
function conditionsOf({ entity, activeOnly, restrictions = {} }: EntityTarget, query: Json): Json[] {
  const fixed = Object.entries(restrictions).map(([field, value]): Json => ["=", field, value]);
  const isEvery = !activeOnly && entities[entity]?.ofNodes === true && !mentionsNodeState(query);
  return isEvery ? [...fixed, ["=", "node_state", "any"]] : fixed;
}

/** A query with further conditions: those of an `extract` are behind its columns. */
function restricted(query: Json, conditions: readonly Json[]): Json {
  if (conditions.length === 0) return query;
  if (!Array.isArray(query) || query[0] !== "extract") return all([...conditions, ...(query === null ? [] : [query])]);
  const [, columns = [], ...rest] = query;
  const [first] = rest;
  const hasFilter = Array.isArray(first) && first[0] !== "group_by";
  const filter = hasFilter ? [first] : [];
  return ["extract", columns, all([...conditions, ...filter]), ...rest.slice(filter.length)];
}

function all(conditions: readonly Json[]): Json {
  const [only = null] = conditions;
  return conditions.length > 1 ? ["and", ...conditions] : only;
}

/** The order and the page of the other parameters of the URL, as clauses of a `from`. */
function pagingClauses(given: ReadonlyMap<string, string>): Json[] {
  const orderBy = readable(() => readOrderBy(parseOrderBy(given.get("order_by") ?? ""))) ?? [];
  const columns = orderBy.map(({ field, descending }) => [field, descending ? "desc" : "asc"]);
  const counts = (["limit", "offset"] as const).flatMap((name): Json[] => {
    const count = readable(() => parseQueryJson(given.get(name) ?? ""));
    return typeof count === "number" ? [[name, count]] : [];
  });
  return [...(columns.length === 0 ? [] : [["order_by", columns]]), ...counts];
}

/** Undefined for what is refused where the query runs. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CensusError) return undefined;
    throw error;
  }
}
