import { stringifyJson } from "#storage/json.ts";
import { costs } from "../explain/costs.ts";
import { UsageError } from "../errors.ts";
import { astOrPql } from "../sources/query-text.ts";
import type { Session } from "./session.ts";

/** Shows the AST of a query, its SQL for local sources, and the cost of each step. */
export async function explain(session: Session, text: string): Promise<void> {
  if (text === "") throw new UsageError("\\explain needs a query");
  const { source } = session;
  const { query } = astOrPql(text);
  const ast = `AST\n  ${stringifyJson(query)}\n`;
  const { sql, values } = source.kind === "url" ? {} : (await source.whole()).queries.plan({ of: "root", query }).rows;
  const given = values?.map((value, index) => `  $${index + 1} = ${shown(value)}\n`) ?? [];
  await session.write(ast + (sql === undefined ? "" : `\nSQL\n  ${sql}\n${given.join("")}`));
  await session.answer(async (signal) => costs((await source.query(query, { signal, explain: true })).rows));
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => (typeof held === "bigint" ? String(held) : held));
}
