import { afterEach, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { EngineFailure, explainedOrFailure } from "#storage/engine/error-classes.ts";
import { duckdb } from "#storage/engine/duckdb.ts";
import { Reader } from "#storage/engine/reader.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { openResult } from "#storage/query/query.ts";

let database: Database | undefined;
afterEach(() => database?.close());

/** The error of a statement of one text column, as a client of the service gets it. */
async function errorOf(sql: string, before: readonly string[] = []): Promise<unknown> {
  database = await Database.open();
  for (const statement of before) await database.execute(statement);
  try {
    const { rows } = await openResult(database, { sql, values: [] });
    for await (const _ of rows);
  } catch (error) {
    return explainedOrFailure(error);
  }
  return undefined;
}

describe("a statement that the engine fails at", () => {
  it.each<[what: string, sql: string, code: string, message: RegExp, before?: readonly string[]]>([
    [
      "a conversion",
      "SELECT (i || 'x')::INTEGER::VARCHAR FROM range(9) r(i)",
      "bad-input",
      /cannot be computed over these values: Could not convert/,
    ],
    [
      "a value out of range",
      "SELECT (9223372036854775807 + i)::VARCHAR FROM range(9) r(i)",
      "bad-input",
      /cannot be computed over these values: Overflow/,
    ],
    [
      "memory",
      "SELECT string_agg(repeat('x', 1000000) || i, '') FROM range(99) r(i)",
      "unavailable",
      /needs more memory/,
      ["SET memory_limit = '20MB'"],
    ],
    [
      "a function's argument",
      "SELECT make_timestamp(i, 13, 1, 0, 0, 0)::VARCHAR FROM range(9) r(i)",
      "bad-input",
      /cannot be computed over these values/,
    ],
    ["an unknown column", "SELECT nowhere FROM range(9)", "unavailable", /^the database engine failed/],
    ["an unknown table", "SELECT x FROM nowhere", "unavailable", /^the database engine failed/],
    [
      "an unreadable text",
      "SELECT json_extract('{', '$.a')::VARCHAR FROM range(9) r(i)",
      "unavailable",
      /^the database engine failed/,
    ],
  ])("gives a reason, never a bare 500: %s", async (_what, sql, code, message, before) => {
    const error = await errorOf(sql, before);
    expect(error).toBeInstanceOf(CensusError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
  });

  it("are unavailable after an interruption that no client requested", async () => {
    const { DuckDBInstance } = await duckdb();
    const reader = await Reader.open(await DuckDBInstance.create());
    const failing = reader.connection.run("SELECT count(*) FROM range(100000000000)").catch(explainedOrFailure);
    const interrupting = setInterval(() => reader.interrupt(), 10);
    const error = await failing;
    clearInterval(interrupting);
    reader.close();
    expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(/was interrupted/) as string });
  });

  it("keeps the engine's message for the log", async () => {
    const error = await errorOf("SELECT nowhere FROM range(9)");
    expect(error).toBeInstanceOf(EngineFailure);
    expect(messageOf((error as EngineFailure).cause)).toContain("nowhere");
    expect(messageOf(error)).not.toContain("nowhere");
  });

  it("is not one of our own defects", () => {
    const error = new TypeError("undefined is not a function");
    expect(explainedOrFailure(error)).toBe(error);
  });
});
