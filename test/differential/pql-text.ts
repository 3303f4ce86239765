import type { Random } from "#fixtures/random.ts";
import { type Json, stringifyJson } from "#storage/json.ts";
import { isPagingClause } from "#storage/query/ast/paging.ts";
import { AST_ONLY_ENTITIES } from "#storage/query/pql/grammar.ts";

/**
 * A root query in AST as PQL, with one of the spellings that PQL has: blanks, quotes, negations, brackets.
 * undefined: PQL has no such query.
 */
export function pqlText(ast: Json, random: Random): string | undefined {
  try {
    return fromText(ast, random);
  } catch (error) {
    if (error === inexpressible) return undefined;
    throw error;
  }
}

const inexpressible = new Error("PQL has no such query");

function fromText(ast: Json | undefined, random: Random): string {
  if (!Array.isArray(ast) || ast[0] !== "from") throw inexpressible;
  const [, entity, ...rest] = ast;
  if (AST_ONLY_ENTITIES.some((name) => name === entity)) throw inexpressible;
  const clauses: string[] = [];
  let columns = "";
  let grouping: Json[] = [];
  for (const part of rest) {
    if (!Array.isArray(part)) throw inexpressible;
    const [name, first, ...more] = part;
    if (name === "extract") {
      columns = `[${listOf(first)
        .map(columnText)
        .join(blank(random, ", ", ",", " , "))}]`;
      const groups = more.filter((clause) => Array.isArray(clause) && clause[0] === "group_by");
      grouping = groups.flatMap((clause) => (Array.isArray(clause) ? clause.slice(1) : []));
      const [filter] = more.filter((clause) => !groups.includes(clause));
      if (filter !== undefined) clauses.push(conditionText(filter, random));
    } else if (name === "limit" || name === "offset") clauses.push(`${name} ${stringifyJson(first ?? null)}`);
    else if (name === "order_by") {
      const orders = listOf(first).map((order) =>
        Array.isArray(order) ? order.map(nameText).join(" ") : nameText(order),
      );
      clauses.push(`order by ${orders.join(", ")}`);
    } else clauses.push(conditionText(part, random));
  }
  // PQL has no paging of groups.
  if (grouping.length > 0 && rest.some(isPagingClause)) throw inexpressible;
  if (grouping.length > 0) clauses.push(groupText(grouping));
  const [before, after] = [blank(random, " ", "", "\n  "), blank(random, " ", "", "\n")];
  return `${nameText(entity)}${columns}${blank(random, " ", "")}{${before}${clauses.join(" ")}${after}}`;
}

function groupText(fields: readonly Json[]): string {
  return `group by ${fields.map(nameText).join(", ")}`;
}

function blank(random: Random, ...texts: readonly string[]): string {
  return random.pick(texts);
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

function nameText(name: Json | undefined): string {
  if (typeof name !== "string") throw inexpressible;
  return name;
}

function columnText(column: Json): string {
  if (!Array.isArray(column)) return nameText(column);
  const [, name, ...args] = column;
  return `${nameText(name)}(${args.map((argument, index) => (index === 0 ? nameText(argument) : stringifyJson(argument))).join(", ")})`;
}

function conditionText(ast: Json, random: Random): string {
  if (!Array.isArray(ast) || typeof ast[0] !== "string") throw inexpressible;
  const [operator, ...args] = ast;
  const gap = blank(random, " ", " ", "  ");
  if (operator === "and" || operator === "or") {
    if (args.length === 0) throw inexpressible;
    const text = args.map((clause) => conditionText(clause, random)).join(`${gap}${operator}${gap}`);
    return random.chance(0.7) ? `(${text})` : text;
  }
  const [first, second] = args;
  if (operator === "not") {
    const [open, close] = random.pick([
      ["!(", ")"],
      ["! (", " )"],
    ]);
    return `${open}${conditionText(first ?? null, random)}${close}`;
  }
  if (operator === "null?") {
    if (typeof second !== "boolean") throw inexpressible;
    return `${nameText(first)} is ${second ? "" : "not "}null`;
  }
  if (operator === "subquery")
    return fromText(["from", first ?? null, ...(second === undefined ? [] : [second])], random);
  if (operator === "in") {
    if (!Array.isArray(second)) throw inexpressible;
    const fields = Array.isArray(first) ? `[${first.map(nameText).join(", ")}]` : nameText(first);
    if (second[0] === "from") return `${fields} in ${fromText(second, random)}`;
    if (second[0] !== "array") throw inexpressible;
    return `${fields} in [${listOf(second[1])
      .map((value) => valueText(value, random))
      .join(", ")}]`;
  }
  const tight = /^[a-z_]+$/.test(nameText(first)) ? blank(random, " ", " ", "") : " ";
  return `${nameText(first)}${tight}${operator}${tight}${valueText(second ?? null, random)}`;
}

function valueText(value: Json, random: Random): string {
  if (typeof value === "string" && !/["'\\]/.test(value) && random.chance(0.4)) return `'${value}'`;
  if (value !== null && typeof value === "object" && !Array.isArray(value)) return stringifyJson(value);
  return Array.isArray(value) ? `[${value.map((each) => valueText(each, random)).join(", ")}]` : stringifyJson(value);
}
