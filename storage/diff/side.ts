import { type Json, parseJson } from "../json.ts";

/** One of two sources that are compared: anything that answers queries. */
export interface Side {
  /** @param query AST that begins with `from`; answered by JSON texts of rows, some at a time */
  query(query: Json): AsyncIterable<readonly string[]>;
  /** Whether it orders texts bytewise, as this program's own stores do; a server's order depends on its database. */
  readonly isBytewise: boolean;
}

/** Rows of an entity: some fields, of nodes in any state, all or those that match a condition. */
export function queryOf(entity: string, fields: readonly string[], condition?: Json, order?: string): Json {
  const anyState: Json = ["=", "node_state", "any"];
  const where: Json = condition === undefined ? anyState : ["and", anyState, condition];
  const extract: Json = ["extract", [...fields], where];
  return order === undefined ? ["from", entity, extract] : ["from", entity, extract, ["order_by", [order]]];
}

/** A condition that a field has one of these values. */
export function oneOf(field: string, values: readonly string[]): Json {
  return ["in", field, ["array", [...values]]];
}

/** All rows of a response. */
export async function queryRows<T>(side: Side, query: Json): Promise<T[]> {
  const rows: T[] = [];
  for await (const batch of side.query(query)) for (const text of batch) rows.push(parseJson(text) as T);
  return rows;
}
