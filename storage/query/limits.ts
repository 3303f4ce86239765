import { type Json, isObject } from "../json.ts";
import { QueryError } from "./errors.ts";
import { comparisonNamed, operatorNamed } from "./operators.ts";
import type { Condition, Selection } from "./tree.ts";

/** Limits of a query. Each has a setting, which messages name. */
export interface QueryLimits {
  /** Nesting depth of conditions. */
  readonly depth: number;
  /** Conditions that the engine evaluates, after equalities of one field have become membership in a list. */
  readonly conditions: number;
  /** Values of one list, of `in` or of an operand. */
  readonly values: number;
  /** Columns of one projection or one grouping. */
  readonly columns: number;
  /** Bytes of one regular expression, or of one format of a time. */
  readonly patternBytes: number;
}

/**
 * The upper limit of the setting: the functions that walk a query are recursive, and the engine has a limit of its
 * own.
 */
export const MAX_DEPTH = 500;

export const defaultQueryLimits: QueryLimits = {
  depth: MAX_DEPTH,
  conditions: 10_000,
  values: 1_000_000,
  columns: 1000,
  patternBytes: 64 * 1024,
};

/** Characters of a field's name, including the parts of a document and patterns in it. */
const MAX_NAME_LENGTH = 8192;

interface Bound {
  readonly setting: string;
  readonly message: (most: number) => string;
}

/** The message about a query that exceeds a limit. */
const bounds: Readonly<Record<keyof QueryLimits, Bound>> = {
  depth: {
    setting: "query-max-depth",
    message: (most) => `the query is nested more than ${most} levels deep`,
  },
  conditions: {
    setting: "query-max-conditions",
    message: (most) => `the query has more than ${most} conditions, equalities of one field counted as one`,
  },
  values: {
    setting: "query-max-values",
    message: (most) => `a list has more than ${most} values, or the query many times as many`,
  },
  columns: {
    setting: "query-max-columns",
    message: (most) => `more than ${most} columns are named`,
  },
  patternBytes: {
    setting: "query-max-pattern-size",
    message: (most) => `a regular expression, or the format of a time, has more than ${most} bytes`,
  },
};

function limitError(limits: QueryLimits, bound: keyof QueryLimits, where: string): QueryError {
  const { setting, message } = bounds[bound];
  return new QueryError(`${message(limits[bound])} (${setting})${where}`);
}

/** Number of conditions around it. */
interface Place {
  readonly node: readonly Json[];
  /** Number of conditions around it. */
  readonly depth: number;
  readonly parent: Place | undefined;
  /** Its index in the parent. */
  readonly index: number;
}

/**
 * Checks the size of a query before anything costly is done with it. Takes as many steps as the query has clauses.
 * @throws QueryError that names the limit, its setting and the place
 */
export function checkSize(ast: Json | undefined, limits: QueryLimits): void {
  if (!Array.isArray(ast)) return;
  const open: Place[] = [{ node: ast, depth: 0, parent: undefined, index: 0 }];
  let values = 0;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node } = place;
    const [head = null] = node;
    const operator = operatorNamed(head);
    const isComparison = operator?.form === "comparison";
    const depth = place.depth + (operator === undefined ? 0 : 1);
    const fail = (bound: keyof QueryLimits, index?: number): QueryError => {
      return limitError(limits, bound, ` at ${placeText(place, index)}`);
    };
    if (depth > limits.depth) throw fail("depth");
    values += node.length;
    // All clauses of a query together may have several times the values of one list.
    if (values > limits.values * 4 || node.length > limits.values) throw fail("values");
    if (head === "extract" && columnCount(node[1]) > limits.columns) throw fail("columns", 1);
    if (head === "group_by" && node.length - 1 > limits.columns) throw fail("columns");
    if (isComparison && isLarge(node[2], limits.values)) throw fail("values", 2);
    if (head === "array" && isLarge(node[1], limits.values)) throw fail("values", 1);
    const [, name] = node;
    if (operator !== undefined && typeof name === "string" && name.length > MAX_NAME_LENGTH) {
      throw new QueryError(`the name of a field has more than ${MAX_NAME_LENGTH} characters at ${placeText(place, 1)}`);
    }
    const pattern = patternAt(node, limits.patternBytes);
    if (pattern !== undefined) throw fail("patternBytes", pattern);
    // Operands are data, not conditions.
    const isLeaf = head === "array" || isComparison;
    const last = isLeaf ? Math.min(2, node.length) : node.length;
    for (let index = last - 1; index >= 0; index--) {
      const inner = node[index];
      if (Array.isArray(inner) && !(head === "array")) open.push({ node: inner, depth, parent: place, index });
    }
  }
}

function columnCount(columns: Json | undefined): number {
  return Array.isArray(columns) ? columns.length : 0;
}

/** Whether an operand has more than `most` values, including those of lists and objects in it. */
function isLarge(operand: Json | undefined, most: number): boolean {
  if (!Array.isArray(operand) && !isObject(operand ?? null)) return false;
  const open: (Json | undefined)[] = [operand];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    count += inner.length;
    if (count > most) return true;
    for (const each of inner) if (typeof each === "object" && each !== null) open.push(each);
  }
  return false;
}

/** The index of the operand of a clause that has too long a pattern; undefined where there is none. */
function patternAt(node: readonly Json[], most: number): number | undefined {
  const [head, , operand, mask] = node;
  const patterns = comparisonNamed(head)?.patterns;
  if (patterns === "operand" && isLong(operand, most)) return 2;
  if (patterns === "elements" && Array.isArray(operand) && operand.some((element) => isLong(element, most))) return 2;
  return head === "function" && isLong(mask, most) ? 3 : undefined;
}

function isLong(text: Json | undefined, most: number): boolean {
  return typeof text === "string" && text.length * 3 > most && Buffer.byteLength(text) > most;
}

/** `query[2][1]`: indexes into the query's arrays, counted from 0. */
function placeText(place: Place, index: number | undefined): string {
  const indexes = index === undefined ? [] : [index];
  for (let at = place; at.parent !== undefined; at = at.parent) indexes.unshift(at.index);
  // The first indexes are enough to find a deeply nested place.
  const shown = indexes.length > 20 ? [...indexes.slice(0, 20).map((each) => `[${each}]`), "…"] : undefined;
  return `query${(shown ?? indexes.map((each) => `[${each}]`)).join("")}`;
}

/** A document that is compared as a whole becomes one condition for each key. */
function partsOf({ ref, test }: Extract<Condition, { kind: "part" }>): number {
  const keys = test.kind === "contains" && isObject(test.value) ? Object.keys(test.value).length : 0;
  return Math.max(0, ref.path.length - 1) + (ref.path.length === 0 ? keys : 0);
}

/** @throws QueryError when the engine would have too many conditions to evaluate */
export function checkConditions(selection: Selection, limits: QueryLimits): void {
  let count = 0;
  const open: Condition[] = [];
  if (selection.where !== null) open.push(selection.where);
  for (let condition = open.pop(); condition !== undefined; condition = open.pop()) {
    if (++count > limits.conditions) throw limitError(limits, "conditions", "");
    if (condition.kind === "and" || condition.kind === "or") for (const clause of condition.clauses) open.push(clause);
    else if (condition.kind === "not" || condition.kind === "known") open.push(condition.clause);
    else if (condition.kind === "in-query" && condition.selection.where !== null) open.push(condition.selection.where);
    else if (condition.kind === "path-match") count += condition.elements.length;
    else if (condition.kind === "part") count += partsOf(condition);
  }
}
