/**
 * Decides whether a statement may run, from the syntax tree of the engine's own parser and before the engine looks
 * anything up. Planning alone has effects (`EXPORT DATABASE` creates its folder), and calls some functions.
 */
import { isObject, type Json, type JsonObject } from "../json.ts";
import { nearestWords } from "../nearest-words.ts";
import { allowedFunctions, allowedTableFunctions } from "./allowed-functions.ts";
import { unknownViewText, onlyReads, SqlError } from "./errors.ts";
import { views } from "./views.ts";

const viewNames = new Set(views.map(({ name }) => name));

/** Qualifiers of the views. */
const viewSchemas = new Set(["", "temp", "temp.main"]);

/** Schemas that an allowed function may be qualified with; parsed operators and lists name `main` themselves. */
const functionSchemas = new Set(["", "main", "pg_catalog"]);

/** What `SHOW` may list without a query: the views of this connection. The engine's text has the quotes. */
const LISTED = '"tables"';

/** A part of the tree that is not checked yet, with the names that `WITH` gives to queries around it. */
interface Part {
  readonly node: Json;
  readonly queries: ReadonlySet<string>;
}

/**
 * Checks that a statement is one SELECT that only uses our views and allowed functions.
 * @param syntax its tree from `json_serialize_sql`
 * @param sql the same statement, for the places in messages
 * @throws SqlError that names what is not allowed, and where it is
 */
export function checkStatement(syntax: JsonObject, sql: string): void {
  const { statements } = syntax;
  if (!Array.isArray(statements) || statements.length > 1) throw new SqlError(onlyReads);
  const parts: Part[] = statements.map((node) => ({ node, queries: new Set<string>() }));
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) parts.push(...checkPart(part, sql));
}

/** Whether the parser found an error. */
export function isInvalid(syntax: JsonObject): boolean {
  return syntax["error"] === true && syntax["error_type"] === "parser";
}

/** @returns the parts inside */
function checkPart({ node, queries }: Part, sql: string): Part[] {
  if (Array.isArray(node)) return node.map((item) => ({ node: item, queries }));
  if (!isObject(node)) return [];
  if (node["type"] === "BASE_TABLE") checkTable(node, queries, sql);
  if (node["type"] === "SHOW_REF") checkShow(node);
  if (node["type"] === "TABLE_FUNCTION") {
    const { function: call, ...rest } = node;
    if (!isObject(call)) throw new SqlError(onlyReads);
    checkFunction(call, allowedTableFunctions, sql);
    return [...partsOf(call, queries), ...partsOf(rest, queries)];
  }
  if (node["function_name"] !== undefined) checkFunction(node, allowedFunctions, sql);
  return partsOf(node, queries);
}

function partsOf(node: JsonObject, outer: ReadonlySet<string>): Part[] {
  const { cte_map: named, ...rest } = node;
  const parts: Part[] = [];
  let queries = node["type"] === "RECURSIVE_CTE_NODE" ? new Set([...outer, stringOf(node["cte_name"])]) : outer;
  const entries = isObject(named) && Array.isArray(named["map"]) ? named["map"].filter(isObject) : [];
  // A query sees those before it: its own name, and later ones, may still be tables of the engine.
  for (const { key, value } of entries) {
    parts.push({ node: value ?? null, queries });
    queries = new Set([...queries, stringOf(key)]);
  }
  return [...parts, ...Object.values(rest).map((child) => ({ node: child, queries }))];
}

function checkTable(table: JsonObject, queries: ReadonlySet<string>, sql: string): void {
  const path = [table["catalog_name"], table["schema_name"]].map(stringOf).filter((part) => part !== "");
  const written = typeof table["table_name"] === "string" ? table["table_name"] : "";
  const name = written.toLowerCase();
  const isKnown = viewNames.has(name) || (path.length === 0 && queries.has(name));
  if (isKnown && viewSchemas.has(path.join("."))) return;
  throw new SqlError(`${unknownViewText([...path, written].join("."))}${placeOf(table, sql)}`);
}

function checkShow(show: JsonObject): void {
  if (show["query"] !== undefined || show["table_name"] === LISTED) return;
  throw new SqlError("SQL can read the views only; SHOW TABLES lists them");
}

function checkFunction(call: JsonObject, allowed: ReadonlySet<string>, sql: string): void {
  const name = stringOf(call["function_name"]);
  if (allowed.has(name) && stringOf(call["catalog"]) === "" && functionSchemas.has(stringOf(call["schema"]))) return;
  const where = placeOf(call, sql);
  if (allowed === allowedTableFunctions) {
    throw new SqlError(`SQL can read the views only, not files or the engine: ${name} is not allowed${where}`);
  }
  const [near] = nearestWords(name, [...allowed], 1);
  const hint = near === undefined || near === name ? "" : `; ${near} is the closest`;
  throw new SqlError(`the function ${JSON.stringify(name)} cannot be used here${hint}${where}`);
}

/** ` (line 2, at "nods")`, from the byte that the parser reports. */
function placeOf({ query_location: location }: JsonObject, sql: string): string {
  if (typeof location !== "number") return "";
  const bytes = Buffer.from(sql);
  const line = bytes.subarray(0, location).toString().split("\n").length;
  const word = /^[^\s(),;]+/.exec(bytes.subarray(location, location + 200).toString())?.[0];
  return ` (line ${line}${word === undefined ? "" : `, at ${JSON.stringify(word.slice(0, 40))}`})`;
}

function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}
