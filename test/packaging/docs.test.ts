import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openArchive } from "#cli/sources/archive.ts";
import type { Sql } from "#storage/sql/sql.ts";
import type { Store } from "#storage/store.ts";
import { anonymizationParts } from "../../packaging/docs/anonymization.ts";
import { notice, renderNotice } from "../../packaging/docs/dependencies.ts";
import { entityParts } from "../../packaging/docs/entities.ts";
import { generatedPages, renderedPage } from "../../packaging/docs.ts";

// That of the command line runs the commands of the everyday questions.
it.each(generatedPages)("docs/%s is up to date; npm run docs writes it", async (name) => {
  const { is, should } = await renderedPage(name);
  expect(is).toBe(should);
});

it("NOTICE is up to date; npm run docs writes it", () => {
  expect(readFileSync(notice, "utf8")).toBe(renderNotice());
});

describe("docs/anonymization.md", () => {
  // reference/archive.md §5.3, with the deviations of docs/differences.md
  it.each([
    ["titles of resources, classes included", ["replaced", "by rule", "kept"]],
    ["names of parameters, of properties and of events", ["replaced", "kept", "kept"]],
    ["values of parameters, old and new values of events", ["replaced", "replaced", "replaced"]],
    ["messages of events", ["replaced", "replaced", "replaced"]],
    ["messages of log lines", ["replaced", "replaced", "replaced"]],
    ["environments", ["replaced", "replaced", "kept"]],
    ["names of facts, at every depth", ["replaced", "by rule", "kept"]],
    ["values of facts, versions of packages", ["replaced", "by rule", "by rule"]],
  ])("says what each profile does with %s", (what, cells) => {
    const rows = String(anonymizationParts()["profiles"]).split("\n");
    const row = rows.find((line) => line.startsWith(`| ${what} |`));
    expect(row?.slice(2, -2).split(" | ").slice(2)).toEqual(cells);
  });
});

describe("docs/entities.md", () => {
  // The rows of reference/entities.md §1, as far as a scalar operand shows them.
  it.each([
    ["string", "`=` `~`"],
    ["timestamp", "`=` `<` `>` `<=` `>=`"],
    ["boolean", "`=`"],
    ["numeric", "`=` `<` `>` `<=` `>=`"],
    ["array", "`=` `~`"],
    ["encoded-path", "`=` `~` `~>`"],
    ["path", "`=` `~>`"],
    ["json", "`=` `<` `>` `<=` `>=` `~`"],
  ])("gives %s the operators of the reference", (kind, operators) => {
    expect(entityParts()["kinds"]).toContain(`| ${kind} | ${operators} |`);
  });
});

describe("the examples of docs/sql.md", () => {
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

  const page = readFileSync("docs/sql.md", "utf8");
  it.each([...page.matchAll(/^```sql\n([^`]+);\n```$/gm)].map(([, statement = ""]) => statement))(
    "return rows: %s",
    async (statement) => {
      const rows: string[] = [];
      for await (const batch of await sql.run(statement)) rows.push(...batch);
      expect(rows.length).toBeGreaterThan(0);
    },
  );
});
