/** Expressions of `dialect/duckdb.ts`, as the declarations of entities use them. */
import type { SqlType } from "../dialect/types.ts";
import { type FieldSql, sql, type SqlExpression, written } from "./sql.ts";
import { duckdb } from "../dialect/duckdb.ts";

type Operand = string | FieldSql;

export const asText = (value: Operand): SqlExpression => written((of) => duckdb.values.cast(of, "text"), value);

export function castOrNull(value: Operand, type: SqlType): SqlExpression {
  return written((of) => duckdb.values.castOrNull(of, type), value);
}

export function choice(condition: Operand, yes: Operand, no: Operand): SqlExpression {
  return written((...of) => duckdb.values.choice(of[0] ?? "", of[1] ?? "", of[2] ?? ""), condition, yes, no);
}

/** The value of any row of a group that has one. */
export const anyOf = (value: Operand): SqlExpression => written((of) => duckdb.aggregates.any(of), value);

/** The JSON text of a value. */
export const jsonText = (value: Operand): SqlExpression => written((of) => duckdb.json.text(of), value);

/** The same as an argument of `concat`; NULL is none. */
export const json = (value: Operand): SqlExpression => written((of) => duckdb.json.piece(of), value);

/** The same, NULL as `null`. */
export const jsonOrNull = (value: Operand): SqlExpression => sql`coalesce(${json(value)}, 'null')`;

/** The digits of a number, or a boolean, as an argument of `concat`; NULL is `null`. */
export const plainOrNull = (value: Operand): SqlExpression => sql`coalesce(${asText(value)}, 'null')`;

/** The JSON text of an object. */
export function jsonObject(members: Readonly<Record<string, Operand>>): SqlExpression {
  const keys = Object.keys(members);
  return written(
    (...of) => duckdb.json.object(keys.map((key, index) => [key, of[index] ?? "NULL"])),
    ...Object.values(members),
  );
}
