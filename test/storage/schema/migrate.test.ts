import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { CensusError } from "#storage/errors.ts";
import { parameterDigest } from "#storage/hash/parameter-digest.ts";
import { factTable, spacerId, spacersAfter } from "#storage/ingest/write/fact-tables.ts";
import { migrate, type Migration, migrations, schemaScript, schemaVersion } from "#storage/schema/migrate.ts";

const first: Migration = {
  version: 1,
  name: "one table",
  statements: ["CREATE TABLE things (name VARCHAR)", "INSERT INTO things VALUES ('old')"],
};
const second: Migration = {
  version: 2,
  name: "one more column",
  statements: ["ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 3"],
};
const third: Migration = { version: 3, name: "and a table", statements: ["CREATE TABLE others (n INTEGER)"] };
const failing: Migration = {
  version: 3,
  name: "half of it works",
  statements: ["CREATE TABLE others (n INTEGER)", "UPDATE things SET size = 4", "INSERT INTO no_such_table VALUES (1)"],
};

let database: Database;
beforeEach(async () => {
  database = await Database.open({ threads: 1 });
});
afterEach(() => database.close());

const recorded = async (): Promise<unknown> =>
  database.rows("SELECT version, name FROM schema_migrations ORDER BY version");
const tables = async (): Promise<string[]> => {
  const rows = await database.rows<{ name: string }>("SELECT table_name AS name FROM duckdb_tables() ORDER BY 1");
  return rows.map(({ name }) => name);
};

describe("a fresh store", () => {
  it("gets every step once", async () => {
    expect(await migrate(database)).toEqual(migrations.map(({ version }) => version));
    expect(await migrate(database)).toEqual([]);
    expect(await tables()).toEqual(
      expect.arrayContaining(["events", "long_facts", "nodes", "reports", "schema_migrations", "short_facts"]),
    );
  });

  it("gets the same tables from one script", async () => {
    await migrate(database);
    const made = await Database.open({ threads: 1, tables: schemaScript() });
    const columns =
      "SELECT table_name, column_name, data_type, is_nullable, column_default FROM duckdb_columns() ORDER BY ALL";
    const steps = "SELECT version, name FROM schema_migrations ORDER BY version";
    for (const spec of [columns, steps]) expect(await made.rows(spec)).toEqual(await database.rows(spec));
    expect(await migrate(made)).toEqual([]);
    await made.close();
  });

  it("gets the steps in order", async () => {
    expect(await migrate(database, { steps: [first, second, third] })).toEqual([1, 2, 3]);
    expect(await recorded()).toEqual([
      { version: 1, name: "one table" },
      { version: 2, name: "one more column" },
      { version: 3, name: "and a table" },
    ]);
  });
});

describe("an older store", () => {
  it("gets the missing steps and keeps its data", async () => {
    await migrate(database, { steps: [first] });
    await database.execute("INSERT INTO things VALUES ('kept')");
    expect(await migrate(database, { steps: [first, second, third] })).toEqual([2, 3]);
    expect(await database.rows("SELECT name, size FROM things ORDER BY name")).toEqual([
      { name: "kept", size: 3 },
      { name: "old", size: 3 },
    ]);
  });
});

describe("a newer store", () => {
  it("is refused in one line and not changed", async () => {
    await migrate(database, { steps: [first, second] });
    const refused = migrate(database, { steps: [first] });
    await expect(refused).rejects.toThrow(CensusError);
    await expect(refused).rejects.toMatchObject({
      code: "bad-file",
      message:
        "memory: the store has schema version 2, this program knows versions up to 1; open it with a newer census",
    });
    expect(await recorded()).toHaveLength(2);
  });
});

describe("a step that fails", () => {
  it("keeps the store at the previous step, and can be repeated", async () => {
    await migrate(database, { steps: [first] });
    await expect(migrate(database, { steps: [first, second, failing] })).rejects.toThrow(/no_such_table/);
    expect(await recorded()).toHaveLength(2);
    expect(await tables()).toEqual(["schema_migrations", "things"]);
    expect(await database.rows("SELECT size FROM things")).toEqual([{ size: 3 }]);
    expect(await migrate(database, { steps: [first, second, third] })).toEqual([3]);
  });
});

describe("the steps of this program", () => {
  it("are numbered from 1 without gaps", () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
    expect(schemaVersion).toBe(migrations.length);
  });

  it("create no keys and indexes, which would keep the space of deleted rows", async () => {
    await migrate(database);
    expect(await database.rows("SELECT index_name FROM duckdb_indexes()")).toEqual([]);
    expect(
      await database.rows("SELECT constraint_type FROM duckdb_constraints() WHERE constraint_type <> 'NOT NULL'"),
    ).toEqual([]);
  });
});

describe("the third step", () => {
  it("adds the type to resources of catalogs, and the digests that new parameters get", async () => {
    await migrate(database, { steps: migrations.slice(0, 2) });
    await database.execute(`INSERT INTO resources (id, digest, hash, type, title, tags, exported, parameters) VALUES
      (1, 'd1', 'h1', 'File', '/a', [], false, '{}'), (2, 'd2', 'h2', 'Class', 'Main', [], false, '{}')`);
    await database.execute("INSERT INTO catalog_resources VALUES (7, 2), (7, 1), (8, 1)");
    await database.execute(
      `INSERT INTO resource_parameters VALUES (1, 'ensure', '"file"'), (1, 'content', '"Größe 日本"')`,
    );
    expect(await migrate(database, { steps: migrations.slice(0, 3) })).toEqual([3]);
    expect(await database.rows("SELECT node_id, resource_id, type FROM catalog_resources")).toEqual([
      { node_id: 7, resource_id: 2, type: "Class" },
      { node_id: 7, resource_id: 1, type: "File" },
      { node_id: 8, resource_id: 1, type: "File" },
    ]);
    expect(await database.rows("SELECT name, digest FROM resource_parameters")).toEqual([
      { name: "ensure", digest: parameterDigest("ensure", '"file"') },
      { name: "content", digest: parameterDigest("content", '"Größe 日本"') },
    ]);
  });
});

describe("the fourth step", () => {
  it("moves each fact to the table for its length, and shows all in one view", async () => {
    await migrate(database, { steps: migrations.slice(0, 3) });
    const [short, long] = [`"${"s".repeat(62)}"`, `"${"l".repeat(63)}"`];
    await database.execute("INSERT INTO facts VALUES (1, 'a', $1, 'k1'), (1, 'b', $2, 'k2'), (2, 'b', $1, 'k3')", [
      short,
      long,
    ]);
    expect(await migrate(database, { steps: migrations.slice(0, 4) })).toEqual([4]);
    const all = await database.rows<{ value: string; table: string }>(
      `SELECT value, 'short_facts' AS table FROM short_facts UNION ALL SELECT value, 'long_facts' FROM long_facts`,
    );
    expect(all.map(({ table }) => table)).toEqual(all.map(({ value }) => factTable(value)));
    expect(await database.rows("SELECT * FROM facts ORDER BY node_id, name")).toEqual([
      { node_id: 1, name: "a", value: short, sort_key: "k1" },
      { node_id: 1, name: "b", value: long, sort_key: "k2" },
      { node_id: 2, name: "b", value: short, sort_key: "k3" },
    ]);
  });
});

describe("the sixth step", () => {
  it("adds spacers after long facts and leaves as the writer does, and returns none of them", async () => {
    await migrate(database, { steps: migrations.slice(0, 5) });
    const lengths = [100, 8192, 20_000, 40_000_000];
    const texts = lengths.map((length) => "x".repeat(length));
    for (const [node, text] of texts.entries()) {
      await database.execute("INSERT INTO long_facts VALUES ($1, 'a', $2, 'k')", [node, text]);
      await database.execute("INSERT INTO fact_leaves VALUES ($1, 0, $2, 'k')", [node, text]);
    }
    expect(await migrate(database, { steps: migrations.slice(0, 6) })).toEqual([6]);
    for (const table of ["long_facts", "fact_leaves"]) {
      const rows = await database.rows<{ node: number; count: bigint }>(
        `SELECT node_id AS node, count(*) AS count FROM ${table} GROUP BY ALL ORDER BY min(rowid)`,
      );
      const expected = texts.flatMap((text, node) => {
        const spacers = spacersAfter(text, "k");
        return [{ node, count: 1n }, ...(spacers === 0 ? [] : [{ node: spacerId(node), count: BigInt(spacers) }])];
      });
      expect(rows).toEqual(expected);
    }
    const facts = await database.rows(
      "SELECT node_id, name, length(value) AS length, sort_key FROM facts ORDER BY node_id",
    );
    expect(facts).toEqual(
      lengths.map((length, node) => ({ node_id: node, name: "a", length: BigInt(length), sort_key: "k" })),
    );
  });
});
