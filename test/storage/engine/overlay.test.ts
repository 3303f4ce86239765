import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { Overlay } from "#storage/engine/overlay.ts";

/** Versions that a test sets: each is returned once, the last one again and again. */
let versions: (string | undefined)[];
/** How often the table was computed. */
let computed: number;
let database: Database;

const overlay: Overlay = {
  key: "test",
  tables: [
    { name: "numbers", statements: () => ["CREATE OR REPLACE TEMP TABLE numbers AS SELECT 7 AS number"] },
    {
      name: "things",
      reads: ["numbers"],
      statements: (table) => [
        `CREATE OR REPLACE TEMP VIEW things AS SELECT name || ' at once ' || number AS name FROM ${table("things")}, numbers`,
      ],
      computed: {
        version: () => (versions.length > 1 ? versions.shift() : versions[0]),
        make: async (script, table) => {
          computed += await script.count(`SELECT count(*) FROM ${table("things")}`);
          await script.run(
            `CREATE OR REPLACE TEMP TABLE kept AS SELECT name || ' computed ' || number AS name FROM ${table("things")}, numbers`,
            "CREATE OR REPLACE TEMP VIEW things AS FROM kept",
          );
        },
      },
    },
  ],
};

beforeEach(async () => {
  computed = 0;
  database = await Database.open();
  await database.execute("CREATE TABLE things AS SELECT 'a' AS name");
});

afterEach(async () => database.close());

async function streamed(value: string): Promise<string[]> {
  const found: string[] = [];
  const statement = { sql: "SELECT name FROM things WHERE $1 <> 'x'", values: [value] };
  for await (const texts of database.texts(statement, { overlay })) found.push(...texts);
  return found;
}

async function listed(): Promise<string[]> {
  const rows = await database.rows<{ name: string }>("SELECT name FROM things", [], { overlay });
  return rows.map(({ name }) => name);
}

describe.each([
  ["a stream", async () => streamed("y")],
  ["rows", listed],
] as const)("%s of a table of an overlay", (_, read) => {
  it("is read from what was computed, from its second reading on, once for each version", async () => {
    for (const version of ["1", "2"]) {
      versions = [version];
      expect(await read()).toStrictEqual(["a at once 7"]);
      expect(await read()).toStrictEqual(["a computed 7"]);
      expect(await read()).toStrictEqual(["a computed 7"]);
    }
    expect(computed).toBe(2);
  });

  it("is not read from what was computed while a change is committed", async () => {
    versions = ["1"];
    await read();
    await read();
    versions = [undefined];
    expect(await read()).toStrictEqual(["a at once 7"]);
    expect(computed).toBe(1);
  });

  it("is read again where the version changed until the statement began", async () => {
    versions = ["1"];
    await read();
    versions = ["1", "2"];
    expect(await read()).toStrictEqual(["a at once 7"]);
    expect(computed).toBe(1);
  });
});

it("reads the stored table without an overlay", async () => {
  versions = ["1"];
  await listed();
  expect(await database.rows("SELECT name FROM things")).toStrictEqual([{ name: "a" }]);
});

it("sees the state of the beginning in a snapshot while past states are computed", async () => {
  versions = ["1"];
  await listed();
  await listed();
  const reading = database.snapshot(
    async function* ([view]) {
      await database.execute("INSERT INTO things VALUES ('b')");
      yield await view.rows("SELECT name FROM things");
    },
    { overlay },
  );
  for await (const rows of reading) expect(rows).toStrictEqual([{ name: "a at once 7" }]);
});
