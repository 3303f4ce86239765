import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openArchive } from "#cli/sources/archive.ts";
import type { Sql } from "#storage/sql/sql.ts";
import type { Store } from "#storage/store.ts";
import { renderSqlDocs, sqlDocs, sqlExamples } from "../../packaging/sql-docs.ts";

let store: Store;
let sql: Sql;

beforeAll(async () => {
  ({ store } = await openArchive("fixtures/sample.tgz", { cached: false }));
  sql = await store.sql();
});
afterAll(async () => {
  sql.close();
  await store.close();
});

it("docs/sql.md is up to date; npm run docs writes it", () => {
  expect(readFileSync(sqlDocs, "utf8")).toBe(renderSqlDocs());
});

it.each(sqlExamples)("its example returns rows: %s", async (_what, statement) => {
  const rows: string[] = [];
  for await (const batch of await sql.run(statement)) rows.push(...batch);
  expect(rows.length).toBeGreaterThan(0);
});
