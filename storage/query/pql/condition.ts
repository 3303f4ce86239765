import type { Json } from "#storage/json.ts";
import { fieldEnds } from "./field.ts";
import { pqlComparisons, pqlNullTests } from "../spellings.ts";
import { parseItems } from "./items.ts";
import { OPERANDS, parseArray } from "./literal.ts";
import type { Scanner } from "./scanner.ts";

/** Reads `entity[fields]{…}`. The parser of whole queries passes this function, because conditions contain queries. */
export type ParseFrom = (scanner: Scanner) => Json | undefined;

/** Reads a comparison, a null test or an `in`; undefined where there is none (reference/pql.md §1). */
export function parseCondition(scanner: Scanner, parseFrom: ParseFrom): Json | undefined {
  if (scanner.literal("[")) return parseFieldsIn(scanner, parseFrom);
  const start = scanner.mark();
  const ends = fieldEnds(scanner);
  for (const end of ends) {
    if (scanner.deadEnds.has(end)) continue;
    scanner.reset(start);
    scanner.position = end;
    const condition = parseTail(scanner, scanner.text.slice(start.position, end), parseFrom);
    if (condition !== undefined) return condition;
    // Another field may end at the same `)`; parsing on from there once is enough and keeps the time linear.
    if (ends.length > 1) scanner.deadEnds.add(end);
  }
  scanner.reset(start);
  return undefined;
}

/** Reads `a, b] in …` after the bracket. */
function parseFieldsIn(scanner: Scanner, parseFrom: ParseFrom): Json | undefined {
  scanner.space();
  const fields = parseItems(scanner, ["]"]);
  if (fields === undefined) return undefined;
  scanner.space();
  if (!scanner.literal("]")) return undefined;
  scanner.space();
  return parseIn(scanner, fields, parseFrom);
}

/** Reads what comes after the field of a condition. */
function parseTail(scanner: Scanner, field: string, parseFrom: ParseFrom): Json | undefined {
  scanner.space();
  return parseComparison(scanner, field) ?? parseNullTest(scanner, field) ?? parseIn(scanner, field, parseFrom);
}

function parseComparison(scanner: Scanner, field: string): Json | undefined {
  const start = scanner.mark();
  for (const { symbol, operand, negated, ast } of pqlComparisons) {
    if (!scanner.literal(symbol)) continue;
    scanner.space();
    const value = OPERANDS[operand](scanner);
    if (value !== undefined) {
      const comparison: Json = [ast, field, value];
      return negated === true ? ["not", comparison] : comparison;
    }
    scanner.reset(start);
  }
  return undefined;
}

function parseNullTest(scanner: Scanner, field: string): Json | undefined {
  for (const { symbol, isNull } of pqlNullTests) if (scanner.literal(symbol)) return ["null?", field, isNull];
  return undefined;
}

function parseIn(scanner: Scanner, field: Json, parseFrom: ParseFrom): Json | undefined {
  if (!scanner.literal("in")) return undefined;
  scanner.space();
  const start = scanner.mark();
  const query = parseFrom(scanner);
  if (query !== undefined) return ["in", field, query];
  scanner.reset(start);
  const values = parseArray(scanner);
  return values === undefined ? undefined : ["in", field, ["array", values]];
}
