import type { DuckDBPreparedStatement, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { duckdb } from "./duckdb.ts";
import type { SqlValue } from "./sql-value.ts";

/** Binds the values of a statement's parameters. */
export function bound(statement: DuckDBPreparedStatement, values: readonly SqlValue[]): DuckDBPreparedStatement {
  const given = bind(values);
  statement.bind(given.values, given.types);
  return statement;
}

interface Bound {
  values: DuckDBValue[];
  types: DuckDBType[];
}

/** Values as the engine binds them. */
export function bind(values: readonly SqlValue[]): Bound {
  const { BIGINT, BOOLEAN, DOUBLE, INTEGER, LIST, TIMESTAMP, VARCHAR, DuckDBListValue, DuckDBTimestampValue } =
    duckdb.loaded();
  const bound: Bound = { values: [], types: [] };
  const add = (value: DuckDBValue, type: DuckDBType): void => {
    bound.values.push(value);
    bound.types.push(type);
  };
  for (const value of values) {
    if (value === null || typeof value === "string") add(value, VARCHAR);
    else if (typeof value === "boolean") add(value, BOOLEAN);
    else if (typeof value === "bigint") add(value, BIGINT);
    else if (typeof value === "number") add(value, isInt32(value) ? INTEGER : DOUBLE);
    else if ("regexp" in value) throw new Error("a pattern belongs to a run");
    else if ("micros" in value) add(new DuckDBTimestampValue(value.micros), TIMESTAMP);
    else add(new DuckDBListValue(value), LIST(VARCHAR));
  }
  return bound;
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
}
