import { isObject, type Json, parseJson } from "#storage/json.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import type { QueryLanguage } from "../editor/query-language.ts";

/** The AST of a query; undefined when it is not well-formed, or SQL. */
export function astOf(text: string, lang: QueryLanguage): Json | undefined {
  if (lang === "sql") return undefined;
  try {
    return lang === "pql" ? parsePql(text) : parseJson(text);
  } catch {
    return undefined;
  }
}

/** The entity that a query selects rows of. */
export function entityOf(ast: Json | undefined): string | undefined {
  if (!Array.isArray(ast) || ast[0] !== "from") return undefined;
  return typeof ast[1] === "string" ? ast[1] : undefined;
}

/** The limit that a query has itself. */
export function limitOf(ast: Json | undefined): number | undefined {
  if (!Array.isArray(ast)) return undefined;
  const clause = ast.slice(2).find((part) => Array.isArray(part) && part[0] === "limit");
  const limit = Array.isArray(clause) ? clause[1] : undefined;
  return typeof limit === "number" ? limit : undefined;
}

/** The AST as JSON for people: a clause that fits a line is on one line. */
export function prettyAst(value: Json, indent = ""): string {
  const line = inOneLine(value);
  if (!Array.isArray(value) || indent.length + line.length <= 80) return line;
  const inner = `${indent}  `;
  return `[\n${value.map((part) => `${inner}${prettyAst(part, inner)}`).join(",\n")}\n${indent}]`;
}

function inOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${inOneLine(member)}`);
  return `{${members.join(", ")}}`;
}
