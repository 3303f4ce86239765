import { type Token, tokensOf } from "../editor/tokens.ts";
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

/** A line that is longer is broken. Characters. */
const LONGEST = 80;

/** A token's text, or what is between two brackets. */
type Part = string | { readonly open: string; readonly close: string; readonly parts: readonly Part[] };

/**
 * PQL with line breaks where a line would get too long: each condition and clause on a separate line.
 * @returns undefined when the text is not well-formed
 */
export function formatPql(text: string): string | undefined {
  const ast = astOf(text, "pql");
  if (ast === undefined) return undefined;
  const tokens = tokensOf(text.trim());
  const formatted = render(partsOf(text.trim(), tokens, { at: 0 }), "");
  // Spaces matter to dotted fields; whatever would change the query is left as it is.
  return JSON.stringify(astOf(formatted, "pql")) === JSON.stringify(ast) ? formatted : undefined;
}

type PlacedToken = Token & { readonly start: number };

const closing: Readonly<Record<string, string>> = { "[": "]", "{": "}", "(": ")" };

function partsOf(text: string, tokens: readonly PlacedToken[], place: { at: number }): Part[] {
  const parts: Part[] = [];
  for (; place.at < tokens.length; place.at++) {
    const { kind, start, end } = tokens[place.at] as PlacedToken;
    const token = text.slice(start, end);
    const close = closing[token];
    if (kind === "space") continue;
    if (kind === "bracket" && close === undefined) return parts;
    if (kind !== "bracket" || close === undefined) parts.push(token);
    else {
      place.at += 1;
      parts.push({ open: token, close, parts: partsOf(text, tokens, place) });
    }
  }
  return parts;
}

function render(parts: readonly Part[], indent: string): string {
  const line = inline(parts);
  if (indent.length + line.length <= LONGEST && !line.includes("\n")) return line;
  let text = "";
  for (const [index, part] of parts.entries()) {
    const gap = spaceBetween(parts[index - 1], part);
    text += gap + (typeof part === "string" ? part : block(part, indent));
  }
  return text;
}

/** What is between brackets: braces and parentheses on lines of their own, each condition and clause on one. */
function block(part: Exclude<Part, string>, indent: string): string {
  const line = inline([part]);
  if (part.open === "[" || indent.length + line.length <= LONGEST / 2) return line;
  const inner = `${indent}  `;
  const lines = linesOf(part.parts).map((one) => inner + render(one, inner));
  return `${part.open}\n${lines.join("\n")}\n${indent}${part.close}`;
}

/** Parts, a new list where a line begins: at `and`, `or`, and the clauses behind the conditions. */
function linesOf(parts: readonly Part[]): Part[][] {
  const lines: Part[][] = [[]];
  for (const [index, part] of parts.entries()) {
    const isClause =
      part === "and" ||
      part === "or" ||
      part === "limit" ||
      part === "offset" ||
      ((part === "group" || part === "order") && parts[index + 1] === "by");
    if (isClause && index > 0) lines.push([]);
    lines.at(-1)?.push(part);
  }
  return lines;
}

function inline(parts: readonly Part[]): string {
  return parts
    .map((part, index) => {
      const gap = spaceBetween(parts[index - 1], part);
      if (typeof part === "string") return gap + part;
      const inside = inline(part.parts);
      const pad = part.open === "{" && inside !== "" ? " " : "";
      return `${gap}${part.open}${pad}${inside}${pad}${part.close}`;
    })
    .join("");
}

/** Entities and functions are followed by their brackets at once; a comma follows at once as well. */
function spaceBetween(before: Part | undefined, part: Part): string {
  if (before === undefined || before === "!" || part === ",") return "";
  if (typeof part === "string") return " ";
  if (typeof before !== "string") return part.open === "{" ? "" : " ";
  const isWord = /^[a-z_]+$/.test(before) && !["and", "or", "in"].includes(before);
  return isWord ? "" : " ";
}
