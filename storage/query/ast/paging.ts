import { type Json, numberText, isNumber } from "../../json.ts";
import { asListed, type Entity, isQueryable, queryableFields } from "../entities/index.ts";
import { mapOrder, QueryError } from "../errors.ts";
import type { Column, Order, Paging } from "../tree.ts";
import { clojureText } from "./clojure.ts";
import { groupKey } from "../group-key.ts";
import { functionColumn, isFunction } from "./columns.ts";
import { documentOf, valueOfPart } from "./dotted.ts";

/** A column to order by, as a query names it. */
export interface WantedOrder extends WantedColumn {
  readonly descending: boolean;
}

interface WantedColumn {
  readonly field: string;
  /** Where it is a function of the projection that is written with its arguments. */
  readonly called?: Json;
}

/** The part of a result that is wanted, before the columns of the result are known. */
export interface WantedPaging extends Omit<Paging, "orderBy"> {
  readonly orderBy?: readonly WantedOrder[];
}

/** The message about a query at the root that has another form. */
export const fromForm = 'This query must be of the form ["from", <entity>, (<optional-query>)].';

const pagingClauses = ["limit", "offset", "order_by"] as const;

type PagingName = (typeof pagingClauses)[number];
type PagingClause = [name: PagingName, ...rest: Json[]];

export function isPagingClause(ast: Json | undefined): ast is PagingClause {
  return Array.isArray(ast) && pagingClauses.some((name) => name === ast[0]);
}

/**
 * The paging clauses of a `from`: `["limit", n]`, `["offset", n]`, `["order_by", [field or [field, direction], …]]`.
 * @param replaced clauses that the request's own parameters replace, so that their values are not read
 * @throws QueryError for any other clause
 */
export function readPaging(clauses: readonly Json[], replaced: ReadonlySet<PagingName> = new Set()): WantedPaging {
  const values = new Map<PagingName, Json>();
  for (const clause of clauses) {
    if (!isPagingClause(clause)) throw new QueryError(fromForm);
    const [name, value, ...more] = clause;
    if (values.has(name)) throw new QueryError(`Multiple '${name}' clauses are not permitted`);
    if (value === undefined || value === null) throw new QueryError(`Received '${name}' clause without an argument`);
    if (more.length > 0) throw new QueryError(fromForm);
    values.set(name, value);
  }
  let paging: WantedPaging = {};
  for (const [name, value] of values) {
    if (replaced.has(name)) continue;
    if (name === "limit") paging = { ...paging, limit: count("limit", value, 1n) };
    else if (name === "offset") paging = { ...paging, offset: count("offset", value, 0n) };
    else paging = { ...paging, orderBy: orders(value) };
  }
  return paging;
}

/** The clauses that parameters of a request replace. */
export function replacedClauses(parameters: {
  readonly orderBy?: readonly unknown[];
  readonly limit?: bigint;
  readonly offset?: bigint;
}): ReadonlySet<PagingName> {
  const { orderBy, limit, offset } = parameters;
  return new Set(pagingClauses.filter((name) => ({ order_by: orderBy, limit, offset })[name] !== undefined));
}

/**
 * The same with what a result has to order by: fields of the entity, parts of its documents, functions among its columns.
 * @throws QueryError that names the first other column
 */
export function pagingOf(entity: Entity, { orderBy, ...page }: WantedPaging, columns: readonly Column[] = []): Paging {
  if (orderBy === undefined) return page;
  const orders = new Map<string, Order>();
  for (const wanted of orderBy) {
    const { field, descending } = wanted;
    // A column that occurs again cannot change the order.
    if (!orders.has(field)) orders.set(field, { by: orderedColumn(entity, wanted, columns), descending });
  }
  return { ...page, orderBy: [...orders.values()] };
}

function orderedColumn(entity: Entity, { field: name, called }: WantedColumn, columns: readonly Column[]): Column {
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
  if (isQueryable(field)) return { kind: "field", key: name, ref: { name, field } };
  const document = documentOf(entity, name);
  if (document !== undefined) return { kind: "part", key: name, ref: valueOfPart(document, name) };
  const computed = columns.filter(isFunction);
  const key = called === undefined ? undefined : groupKey(functionColumn(entity, called));
  const found = computed.find((column) => (key === undefined ? column.key === name : groupKey(column) === key));
  if (found !== undefined) return found;
  const supported = [...mapOrder(asListed(entity, queryableFields(entity))), ...computed.map(({ key }) => key)].map(
    (known) => `'${known}'`,
  );
  throw new QueryError(
    `Unrecognized column '${name}' specified in :order_by; Supported columns are ${supported.join(", ")}`,
  );
}

function count(name: string, value: Json, least: bigint): bigint {
  const text = isNumber(value) ? numberText(value) : "";
  if (/^\d+$/.test(text) && BigInt(text) >= least && BigInt(text) < 2n ** 63n) return BigInt(text);
  throw new QueryError(
    `Illegal value '${clojureText(value)}' for :${name}; expected a ${least === 1n ? "positive non-zero" : "non-negative"} integer.`,
  );
}

function orders(value: Json): WantedOrder[] {
  if (!Array.isArray(value)) {
    throw new QueryError(
      `Illegal value '${clojureText(value)}' for :order_by; expected an array of fields or [field, "asc" or "desc"].`,
    );
  }
  return value.map((entry) => {
    const [field, direction = "asc", ...more] = Array.isArray(entry) ? entry : [entry];
    const isDirection = direction === "asc" || direction === "desc";
    const wanted = field === undefined ? undefined : wantedColumn(field);
    if (wanted === undefined || !isDirection || more.length > 0 || (Array.isArray(entry) && entry.length < 2)) {
      throw new QueryError(
        `Illegal value '${clojureText(entry)}' in :order_by; expected a field or [field, "asc" or "desc"].`,
      );
    }
    return { ...wanted, descending: direction === "desc" };
  });
}

function wantedColumn(named: Json): WantedColumn | undefined {
  if (typeof named === "string") return { field: named };
  if (!Array.isArray(named) || named[0] !== "function") return undefined;
  const [, name = "", ...args] = named.map((part) => (typeof part === "string" ? part : clojureText(part)));
  return { field: `${name}(${args.join(", ")})`, called: named };
}
