import { afterAll, beforeAll, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import type { Rows } from "#storage/engine/rows.ts";

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 2 });
});
afterAll(() => database.close());

/** A character of one, two and four bytes: what is counted in bytes must not be counted in characters. */
const CHARACTERS = ["x", "ß", "😀"] as const;

/** The ways of reading rows; each has to bring the same. */
const ways: readonly [way: string, read: (rows: Rows) => string[]][] = [
  ["as texts", (rows) => rows.texts()],
  ["as bytes of their own", (rows) => each(rows, (row) => rows.bytes(row).toString())],
  ["copied", (rows) => each(rows, (row) => copied(rows, row))],
  ["copied backwards", (rows) => each(rows, (row) => copied(rows, rows.count - 1 - row)).toReversed()],
];

function each<T>({ count }: Rows, one: (row: number) => T): T[] {
  return Array.from({ length: count }, (_, row) => one(row));
}

/** What a row is between two bytes that it must leave alone. */
function copied(rows: Rows, row: number): string {
  const target = Buffer.alloc(rows.length(row) + 2, "|");
  rows.copy(row, target, 1);
  const text = target.toString();
  expect([text[0], text.at(-1)]).toStrictEqual(["|", "|"]);
  return text.slice(1, -1);
}

/**
 * Lengths around those that the engine keeps apart (12 bytes), around what is copied together (64 KB), and longer than that.
 */
const lengths: readonly [what: string, lengths: readonly number[]][] = [
  ["nothing", [0]],
  ["texts stored in the vector itself", [1, 11, 12, 0, 5]],
  ["texts around the longest of those", [12, 13, 12, 13, 13, 12]],
  ["more than one piece", Array.from({ length: 3000 }, (_, index) => 20 + (index % 97))],
  ["texts as long as a piece, and longer", [65_535, 65_536, 65_537, 13, 300_000, 0, 65_523, 13, 13]],
];

it.each(ways.flatMap(([way, read]) => lengths.map(([what, given]) => [what, way, given, read] as const)))(
  "%s, %s",
  async (_what, _way, given, read) => {
    const texts = given.map((length, index) => textOf(length, CHARACTERS[index % CHARACTERS.length] ?? "x"));
    const found: string[] = [];
    const statement = { sql: "SELECT unnest($1)", values: [texts] };
    for await (const rows of database.stream(statement)) found.push(...read(rows));
    expect(found).toStrictEqual(texts);
  },
);

/** A text of this length in bytes. */
function textOf(bytes: number, character: string): string {
  const times = Math.floor(bytes / Buffer.byteLength(character));
  return character.repeat(times).padEnd(times * character.length + (bytes % Buffer.byteLength(character)), ".");
}

it.each(ways)("NULL is read as null between other values, %s", async (_way, read) => {
  const found: string[] = [];
  const sql =
    "SELECT CASE WHEN i % 3 = 0 THEN NULL ELSE repeat('a', (i % 40)::INTEGER) END FROM range(5000) t(i) ORDER BY i";
  for await (const rows of database.stream({ sql, values: [] })) found.push(...read(rows));
  expect(found).toStrictEqual(Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? "" : "a".repeat(i % 40))));
});

it("several columns are read with the same values and batches as each column alone", async () => {
  const sql = `SELECT concat('row ', i), CASE WHEN i % 3 = 0 THEN NULL ELSE repeat('ß', (i % 900)::INTEGER) END, repeat('z', (i % 20)::INTEGER)
    FROM range($1) t(i) ORDER BY i`;
  const found: string[][] = [];
  const reading = database.snapshot(([view]) => view.columns({ sql, values: [3000] }));
  for await (const columns of reading) {
    // The last first: none may depend on what another has read.
    const texts = columns.toReversed().map((rows) => each(rows, (row) => copied(rows, row)));
    for (const [row] of (texts[0] ?? []).entries()) found.push(texts.map((column) => column[row] ?? "?"));
  }
  expect(found).toStrictEqual(
    Array.from({ length: 3000 }, (_, i) => ["z".repeat(i % 20), i % 3 === 0 ? "" : "ß".repeat(i % 900), `row ${i}`]),
  );
});

it("copied values are unchanged after the engine freed its rows", async () => {
  const kept: Buffer[] = [];
  const sql = "SELECT concat('row ', i, repeat('.', 40)) FROM range(20000) t(i) ORDER BY i";
  for await (const rows of database.stream({ sql, values: [] })) {
    for (let row = 0; row < rows.count; row++) kept.push(rows.bytes(row));
  }
  for await (const _rows of database.stream({ sql: "SELECT repeat('?', 60) FROM range(20000)", values: [] }));
  expect(kept.map(String)).toStrictEqual(Array.from({ length: 20_000 }, (_, i) => `row ${i}${".".repeat(40)}`));
});
