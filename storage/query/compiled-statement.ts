import type { SqlValue } from "../engine/sql-value.ts";
import type { Statement } from "../engine/statements.ts";
import type { Reads } from "../engine/table-versions.ts";

/** A statement of a query, which says what it reads. */
export interface CompiledStatement extends Statement {
  /** Rows change only with these, and with the time where that is among the values. */
  readonly reads: Reads;
}

/** A text that two statements share only when they are the same, values included. */
export function statementKey({ sql, values }: Pick<Statement, "sql" | "values">): string {
  return `${sql} ${values.map(valueKey).join(" ")}`;
}

/** Different for each two values, also of different kinds. A new kind of value does not compile until it has a key here. */
function valueKey(value: SqlValue): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      // JSON has no NaN, no infinity and no negative zero.
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "boolean":
      return String(value);
    default:
      if (value === null) return "null";
      if (isList(value)) return JSON.stringify(value);
      if ("micros" in value) return `@${value.micros}`;
      if ("regexp" in value) return `/${JSON.stringify(value.regexp.source)}/${value.regexp.flags}`;
      return value satisfies never;
  }
}

function isList(value: SqlValue): value is readonly string[] {
  return Array.isArray(value);
}
