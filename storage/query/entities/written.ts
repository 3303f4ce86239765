/** Expressions that the engine's dialect makes, as the declarations of entities use them; `dialect/dialect.ts` describes them. */
import type { SqlType } from "../dialect/dialect.ts";
import { type FieldSql, sql, type SqlExpression, written } from "./sql.ts";

type Operand = string | FieldSql;

export const asText = (value: Operand): SqlExpression => written(({ values }, of) => values.cast(of, "text"), value);

export function castOrNull(value: Operand, type: SqlType): SqlExpression {
  return written(({ values }, of) => values.castOrNull(of, type), value);
}

export function choice(condition: Operand, yes: Operand, no: Operand): SqlExpression {
  return written(({ values }, ...of) => values.choice(of[0] ?? "", of[1] ?? "", of[2] ?? ""), condition, yes, no);
}

/** The value of any row of a group that has one. */
export const anyOf = (value: Operand): SqlExpression => written(({ aggregates }, of) => aggregates.any(of), value);

/** The JSON text of a value. */
export const jsonText = (value: Operand): SqlExpression => written(({ json }, of) => json.text(of), value);

/** The same as an argument of `concat`; NULL is none. */
export const json = (value: Operand): SqlExpression => written(({ json: { piece } }, of) => piece(of), value);

/** The same, NULL as `null`. */
export const jsonOrNull = (value: Operand): SqlExpression => sql`coalesce(${json(value)}, 'null')`;

/** The digits of a number, or a boolean, as an argument of `concat`; NULL is `null`. */
export const plainOrNull = (value: Operand): SqlExpression => sql`coalesce(${asText(value)}, 'null')`;

/** The JSON text of an object. */
export function jsonObject(members: Readonly<Record<string, Operand>>): SqlExpression {
  const keys = Object.keys(members);
  return written(
    ({ json: { object } }, ...of) => object(keys.map((key, index) => [key, of[index] ?? "NULL"])),
    ...Object.values(members),
  );
}
