import type { Statement } from "../engine/statements.ts";

/** A text that two statements share when they are the same, values included. */
export function statementKey({ sql, values }: Statement): string {
  return `${sql} ${JSON.stringify(values, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))}`;
}
