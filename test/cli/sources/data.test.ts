import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { tgz } from "#test/storage/archive/build.ts";
import { facts, metadata } from "../archives.ts";
import { census, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const data = join(folder, "data");
const counted = ["query", "nodes[count()]{}", "--data"];
const answer = { code: 0, stdout: '[\n{"count":2}\n]\n', stderr: "" };

beforeAll(async () => {
  const archive = join(folder, "two.tgz");
  writeFileSync(archive, await tgz([metadata, facts("web-01", "{}"), facts("web-02", "{}")]));
  const { code, stderr } = await census(["import", archive, "--data", data]);
  if (code !== 0) throw new Error(stderr);
});

it("a read-only data directory can be queried by several commands at once, and is not changed", async () => {
  const before = [readdirSync(data), readFileSync(join(data, "census.duckdb"))];
  chmodSync(data, 0o500);
  const answers = await Promise.all([0, 1, 2].map(() => census([...counted, data])));
  chmodSync(data, 0o700);
  expect(answers).toStrictEqual([answer, answer, answer]);
  expect([readdirSync(data), readFileSync(join(data, "census.duckdb"))]).toStrictEqual(before);
});

it("the error for a data directory in use names --url", async () => {
  const server = await startServer(["serve", "--data", data, "--port", "0"]);
  const { code, stdout, stderr } = await census([...counted, data]);
  await server.stop();
  expect({ code, stdout }).toStrictEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/is in use by another process .*; stop it, or query it over HTTP with --url\n$/);
});

it.each([
  [
    "an older",
    "DELETE FROM schema_migrations WHERE version > 1",
    /schema version 1, this program needs \d+; census serve/,
  ],
  [
    "a newer",
    "INSERT INTO schema_migrations VALUES (9999, 'x', now()::TIMESTAMP)",
    /schema version 9999, .* newer census$/,
  ],
  ["no", "DROP TABLE schema_migrations", /is not a Census store$/],
])("%s store is rejected and not changed", async (what, sql, line) => {
  const other = join(folder, what);
  cpSync(data, other, { recursive: true });
  const file = join(other, "census.duckdb");
  const database = await Database.open({ path: file });
  await database.execute(sql);
  await database.close();
  const before = readFileSync(file);
  const { code, stderr } = await census([...counted, other]);
  expect(code).toBe(1);
  expect(stderr.trimEnd()).toMatch(line);
  expect(readFileSync(file)).toStrictEqual(before);
});
