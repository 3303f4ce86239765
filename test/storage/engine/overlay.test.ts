import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { Overlay } from "#storage/engine/overlay.ts";

let database: Database;

const overlay: Overlay = {
  key: "test",
  tables: [
    { name: "numbers", statements: () => ["CREATE TEMP TABLE numbers AS SELECT 7 AS number"] },
    {
      name: "things",
      statements: (table) => [
        `CREATE TEMP VIEW things AS SELECT name || ' then ' || number AS name FROM ${table("things")}, numbers`,
      ],
    },
  ],
};

beforeEach(async () => {
  database = await Database.open();
  await database.execute("CREATE TABLE things AS SELECT 'a' AS name");
});

afterEach(async () => database.close());

async function streamed(): Promise<string[]> {
  const found: string[] = [];
  const statement = { sql: "SELECT name FROM things WHERE $1 <> 'x'", values: ["y"] };
  for await (const texts of database.texts(statement, { overlay })) found.push(...texts);
  return found;
}

async function listed(): Promise<string[]> {
  const rows = await database.rows<{ name: string }>("SELECT name FROM things", [], { overlay });
  return rows.map(({ name }) => name);
}

describe.each([
  ["a stream", streamed],
  ["rows", listed],
] as const)("%s of a table of an overlay", (_, read) => {
  it("is read from the overlay and what that reads, and sees what was stored since it was made", async () => {
    expect(await read()).toStrictEqual(["a then 7"]);
    await database.execute("UPDATE things SET name = 'b'");
    expect(await read()).toStrictEqual(["b then 7"]);
  });
});

it("reads the stored table without an overlay", async () => {
  await listed();
  expect(await database.rows("SELECT name FROM things")).toStrictEqual([{ name: "a" }]);
});

it("sees the state of the beginning in a snapshot", async () => {
  const reading = database.snapshot(
    async function* ([view]) {
      await database.execute("INSERT INTO things VALUES ('b')");
      yield await view.rows("SELECT name FROM things");
    },
    { overlay },
  );
  for await (const rows of reading) expect(rows).toStrictEqual([{ name: "a then 7" }]);
});
