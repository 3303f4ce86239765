import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  allocatorFlush,
  instanceSettings,
  OPERATOR_CACHE,
  readerSettings,
  SEEN_IN,
  vacuum,
} from "#storage/engine/settings.ts";

/** Those that are said although they are the default: what is stored depends on them, or they limit what the engine may do. */
const said = ["preserve_insertion_order", "enable_external_access", "threads"];

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
});
afterAll(() => instance.closeSync());

async function valueOf(setting: string): Promise<string> {
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll(`SELECT current_setting('${setting}')::VARCHAR AS value`);
  connection.closeSync();
  return String(rows.getRows()[0]?.[0]);
}

/** The value of a setting in an engine of its own, before and after a statement. */
async function changed(statement: string): Promise<readonly [before: string, after: string]> {
  const [, setting = ""] = /^SET (?:GLOBAL )?(\w+)/.exec(statement) ?? [];
  const own = await DuckDBInstance.create(":memory:");
  const connection = await own.connect();
  await connection.run(statement);
  const rows = await connection.runAndReadAll(`SELECT current_setting('${setting}')::VARCHAR AS value`);
  const after = String(rows.getRows()[0]?.[0]);
  connection.closeSync();
  own.closeSync();
  return [await valueOf(setting), after];
}

it("are of the engine's version: with another, go through the page and look what is still needed", async () => {
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll("SELECT version() AS version");
  connection.closeSync();
  expect(rows.getRows()[0]?.[0]).toBe(SEEN_IN);
});

describe("a setting is not the engine's default", () => {
  const opened = instanceSettings({ path: "/nowhere/census.duckdb", threads: 2, readOnly: false, readsFiles: true });
  const names = Object.keys(opened).filter((name) => !said.includes(name) && name !== "storage_compatibility_version");

  it.each(names)("%s", async (name) => {
    const own = await DuckDBInstance.create(":memory:", { [name]: opened[name] ?? "" });
    const connection = await own.connect();
    const rows = await connection.runAndReadAll(`SELECT current_setting('${name}')::VARCHAR AS value`);
    const value = String(rows.getRows()[0]?.[0]);
    connection.closeSync();
    own.closeSync();
    expect(value).not.toBe(await valueOf(name));
  });

  it.each([
    ...readerSettings.filter((setting) => !setting.includes("TimeZone")),
    OPERATOR_CACHE.off,
    vacuum(false),
    allocatorFlush({ readOnly: false, inBulk: false }),
  ])("%s", async (statement) => {
    const [before, after] = await changed(statement);
    expect(after).not.toBe(before);
  });

  it("but where it is the usual one of two", async () => {
    const [before, after] = await changed(vacuum(true));
    expect(after).toBe(before);
  });
});
