import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { Transaction } from "#storage/engine/transaction.ts";
import type { SqlValue } from "#storage/engine/sql-value.ts";
import { CensusError } from "#storage/errors.ts";

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 2 });
  await database.execute("CREATE TABLE numbers (n INTEGER)");
});
afterAll(() => database.close());

const endless = "SELECT count(*)::VARCHAR FROM range(1000000000000) t(a) WHERE hash(a) = 1";

describe("parameters", () => {
  it.each<[what: string, SqlValue, type: string, unknown]>([
    ["a text", "abc", "VARCHAR", "abc"],
    ["no text", "", "VARCHAR", ""],
    ["quotes", `'"\`\\''; DROP TABLE numbers; --`, "VARCHAR", `'"\`\\''; DROP TABLE numbers; --`],
    ["placeholders", "$1 ? :a %s", "VARCHAR", "$1 ? :a %s"],
    ["NUL", "a\0b", "VARCHAR", "a\0b"],
    ["line ends", "a\r\n\tb", "VARCHAR", "a\r\n\tb"],
    ["letters beyond ASCII", "äß€😀\u0301", "VARCHAR", "äß€😀\u0301"],
    ["a long text", "x".repeat(1_000_000), "VARCHAR", "x".repeat(1_000_000)],
    ["an integer", 42, "INTEGER", 42],
    ["a negative integer", -2_147_483_647, "INTEGER", -2_147_483_647],
    ["more than 32 bits", 2 ** 31, "DOUBLE", 2 ** 31],
    ["a fraction", 0.1, "DOUBLE", 0.1],
    ["a bigint", 9_223_372_036_854_775_807n, "BIGINT", 9_223_372_036_854_775_807n],
    ["true", true, "BOOLEAN", true],
    ["false", false, "BOOLEAN", false],
    ["texts", ["a", "it's", "", "\0"], "VARCHAR[]", ["a", "it's", "", "\0"]],
    ["no texts", [], "VARCHAR[]", []],
  ])("%s is returned unchanged", async (_what, value, type, expected) => {
    const [row] = await database.rows<{ value: unknown; type: string }>("SELECT $1 AS value, typeof($1) AS type", [
      value,
    ]);
    expect(row).toEqual({ value: expected, type });
  });

  it("null is NULL of any type", async () => {
    expect(await database.rows("SELECT $1 IS NULL AS isNull, coalesce($1, 5) AS number", [null])).toEqual([
      { isNull: true, number: 5 },
    ]);
  });

  it("a time is exact to the microsecond", async () => {
    const micros = 1_795_132_800_123_456n;
    const [row] = await database.rows("SELECT epoch_us($1) AS micros, $1::VARCHAR AS text", [{ micros }]);
    expect(row).toEqual({ micros, text: "2026-11-20 00:00:00.123456" });
  });

  it("a lone surrogate is stored without an error", async () => {
    const [row] = await database.rows<{ n: number }>("SELECT length($1)::INTEGER AS n", ["a\ud800b"]);
    expect(row?.n).toBeGreaterThanOrEqual(3);
  });
});

describe("a transaction", () => {
  it("stores everything that was written in it", async () => {
    await database.execute("DELETE FROM numbers");
    const result = await database.transaction(async (tx) => {
      await tx.execute("numbers", "INSERT INTO numbers VALUES ($1)", [1]);
      const appender = await tx.appender("numbers");
      appender.row(2);
      appender.close();
      return tx.rows("SELECT n FROM numbers ORDER BY n");
    });
    expect(result).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await database.rows("SELECT n FROM numbers ORDER BY n")).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it.each([
    ["an error that it throws", () => Promise.reject(new Error("enough"))],
    ["a defect in its function", () => database.rows("SELECT 1").then(() => Promise.reject(new TypeError("enough")))],
  ])("stores nothing after %s", async (_what, fail) => {
    await database.execute("DELETE FROM numbers");
    const work = database.transaction(async (tx) => {
      await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
      await fail();
    });
    await expect(work).rejects.toThrow("enough");
    expect(await database.rows("SELECT n FROM numbers")).toEqual([]);
  });

  it("stores nothing after a statement that fails, and the next transaction works", async () => {
    await database.execute("DELETE FROM numbers");
    const work = database.transaction(async (tx) => {
      await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
      await tx.execute("numbers", "INSERT INTO numbers VALUES ('no number')");
    });
    await expect(work).rejects.toThrow(/Conversion Error/);
    await database.transaction((tx) => tx.execute("numbers", "INSERT INTO numbers VALUES (7)"));
    expect(await database.rows("SELECT n FROM numbers")).toEqual([{ n: 7 }]);
  });

  it("is invisible to other connections before it ends", async () => {
    await database.execute("DELETE FROM numbers");
    await database.transaction(async (tx) => {
      await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
      expect(await database.rows("SELECT n FROM numbers")).toEqual([]);
    });
  });

  it("runs statements that were registered for its end last, and may be empty", async () => {
    await database.execute("DELETE FROM numbers");
    await database.transaction(async (tx) => {
      tx.atEnd("numbers", "INSERT INTO numbers VALUES (3)");
      tx.atEnd("numbers", "UPDATE numbers SET n = n + 1");
      await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
      expect(await tx.rows("SELECT n FROM numbers")).toEqual([{ n: 1 }]);
    });
    expect(await database.rows("SELECT n FROM numbers ORDER BY n")).toEqual([{ n: 2 }, { n: 4 }]);
    await database.transaction(async (tx) => tx.atEnd("numbers", "DELETE FROM numbers WHERE n = 2"));
    await database.transaction(async () => undefined);
    expect(await database.rows("SELECT n FROM numbers")).toEqual([{ n: 4 }]);
  });

  it.each<[what: string, work: (tx: Transaction) => Promise<void>]>([
    ["its first statement", async (tx) => tx.execute("numbers", "INSERT INTO numbers VALUES ('no number')")],
    ["an invalid first statement", async (tx) => tx.execute("numbers", "INSERT numbers")],
    [
      "its last statement",
      async (tx) => {
        tx.atEnd("numbers", "INSERT INTO numbers VALUES ('no number')");
        await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
      },
    ],
    ["its only statement", async (tx) => tx.atEnd("numbers", "INSERT INTO numbers VALUES ('no number')")],
  ])("stores nothing when %s fails, and the next transaction works", async (_what, work) => {
    await database.execute("DELETE FROM numbers");
    await expect(database.transaction(work)).rejects.toThrow(/Conversion Error|Parser Error/);
    await database.transaction((tx) => tx.execute("numbers", "INSERT INTO numbers VALUES (7)"));
    expect(await database.rows("SELECT n FROM numbers")).toEqual([{ n: 7 }]);
  });

  it("begins after the previous one has ended", async () => {
    await database.execute("DELETE FROM numbers");
    const order: string[] = [];
    const turn = (name: string): Promise<void> =>
      database.transaction(async (tx) => {
        order.push(`${name} begins`);
        await tx.execute("numbers", "INSERT INTO numbers VALUES (1)");
        order.push(`${name} ends`);
      });
    await Promise.all([turn("a"), turn("b")]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});

const rows = (n: number): { sql: string; values: SqlValue[] } => ({
  sql: "SELECT i::VARCHAR FROM range($1::BIGINT) t(i)",
  values: [n],
});

const read = async (): Promise<void> => {
  for await (const batch of database.texts({
    sql: "SELECT CASE WHEN i = 1 THEN error('no such luck') ELSE 'x' END FROM range(2) t(i)",
    values: [],
  }))
    void batch;
};

describe("texts of a result", () => {
  it.each(["stream", "snapshot", "session"])("are an error where they fail after the first rows: %s", async (way) => {
    const sql = "SELECT CASE WHEN a = 900000 THEN error('') ELSE repeat('x', 20) END AS text FROM range(1000000) t(a)";
    const statement = { sql, values: [] };
    const session = await database.session(() => []);
    const reading: Readonly<Record<string, AsyncIterable<unknown>>> = {
      stream: database.stream(statement),
      snapshot: database.snapshot(([at]) => at.stream(statement)),
      session: session.select(sql),
    };
    let count = 0;
    const read = async (): Promise<void> => {
      for await (const _ of reading[way] ?? []) count++;
    };
    await expect(read()).rejects.toThrow("the engine has not made all of the result");
    expect(count).toBeGreaterThan(0);
    session.close();
  });

  it("are returned in batches, complete and in order", async () => {
    const batches: string[][] = [];
    for await (const batch of database.texts(rows(10_000))) batches.push(batch);
    expect(batches.length).toBeGreaterThan(1);
    expect(batches.flat()).toEqual(Array.from({ length: 10_000 }, (_, i) => String(i)));
  });

  it("have no batches if there are no rows", async () => {
    for await (const batch of database.texts(rows(0))) expect(batch).toBe("none");
  });

  it("end when the reading loop ends", async () => {
    for await (const batch of database.texts(rows(1e12))) {
      expect(batch[0]).toBe("0");
      break;
    }
    expect(await database.rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("throw the engine's message if the statement fails", async () => {
    await expect(read()).rejects.toThrow("no such luck");
  });
});

describe("an abort signal", () => {
  const reason = new CensusError("timeout", "the time is up");

  it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
    ["texts", async (signal) => Array.fromAsync(database.texts({ sql: endless, values: [] }, { signal }))],
    ["rows", async (signal) => database.rows(endless, [], { signal })],
  ])("ends running %s, with its reason", async (_what, run) => {
    const controller = new AbortController();
    const running = run(controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    expect(await database.rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("prevents queries from starting if it was aborted before", async () => {
    const signal = AbortSignal.abort(reason);
    await expect(database.rows("SELECT 1", [], { signal })).rejects.toBe(reason);
    await expect(Array.fromAsync(database.texts({ sql: "SELECT '1'", values: [] }, { signal }))).rejects.toBe(reason);
  });

  it("does not change a result if it is never aborted", async () => {
    const { signal } = new AbortController();
    expect(await database.rows("SELECT 1 AS one", [], { signal })).toEqual([{ one: 1 }]);
  });
});

describe("many readers at once", () => {
  it("each get the result of their own query", async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => database.rows<{ i: number }>("SELECT $1 AS i", [i])),
    );
    expect(answers.flat().map(({ i }) => i)).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });
});

describe("the sandbox", () => {
  it.each(["SELECT * FROM read_csv('/etc/passwd')", "COPY (SELECT 1) TO '/tmp/census-leak.csv'", "INSTALL httpfs"])(
    "refuses %s",
    async (sql) => {
      await expect(database.rows(sql)).rejects.toThrow(/disabled by configuration|Permission Error/);
    },
  );
});

describe("a closed database", () => {
  it("rejects queries with a message that says so", async () => {
    const closed = await Database.open({ threads: 1 });
    await closed.close();
    await closed.close();
    await expect(closed.rows("SELECT 1")).rejects.toThrow("memory: the store is closed");
  });
});
