import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { Dictionary, type DictionaryOptions } from "#storage/ingest/write/dictionary.ts";
import { digestNumbers } from "#storage/ingest/write/digest-ids.ts";
import { Random } from "#fixtures/random.ts";

let database: Database;
beforeAll(async () => {
  database = await Database.open({ threads: 1 });
});
afterAll(() => database.close());

const digestOf = (value: number): string => hash("sha1", String(value), "base64url").slice(0, 16);
const textOf = (value: number): string => `a "quoted"\n key ${value}`;

describe("the ids of a table", () => {
  it.each<[what: string, keyOf: (value: number) => string, options: DictionaryOptions]>([
    ["that is read when it is used first", digestOf, { isDigest: true }],
    ["that is too large for it", digestOf, { isDigest: true, limits: { readAtOnce: 5, kept: 1000 } }],
    ["of which only some are kept", digestOf, { isDigest: true, limits: { readAtOnce: 5, kept: 20 } }],
    ["with other keys of which some are kept", textOf, { limits: { readAtOnce: 5, kept: 20 } }],
  ])("%s are those of its rows, and new ones for new keys", async (_what, keyOf, options) => {
    const random = new Random("dictionary", 1);
    await database.transaction(async (tx) =>
      tx.execute(
        "things",
        "CREATE OR REPLACE TABLE things (id INTEGER, key VARCHAR, digest_start BIGINT, digest_end BIGINT)",
      ),
    );
    const known = new Map<string, number>();
    let dictionary = new Dictionary("things", "key", options);
    for (let batch = 0; batch < 60; batch++) {
      const keys = new Set(Array.from({ length: 12 }, () => keyOf(random.integer(0, 199))));
      await database.transaction(async (tx) => {
        const ids = await dictionary.resolve(tx, keys);
        expect(ids.fresh).toEqual([...keys].filter((key) => !known.has(key)));
        for (const key of ids.fresh) {
          const id = ids.id(key);
          expect([...known.values()]).not.toContain(id);
          known.set(key, id);
          await tx.execute("things", "INSERT INTO things VALUES ($1, $2, $3, $4)", [
            id,
            key,
            ...(options.isDigest === true ? digestNumbers(key) : [null, null]),
          ]);
        }
        for (const key of keys) expect(ids.id(key)).toBe(known.get(key));
      });
      if (random.chance(0.2)) {
        const [deleted = ""] = keys;
        await database.transaction(async (tx) => tx.execute("things", "DELETE FROM things WHERE key = $1", [deleted]));
        dictionary.delete([deleted]);
        known.delete(deleted);
      }
      if (random.chance(0.1)) dictionary = new Dictionary("things", "key", options);
      if (random.chance(0.1)) dictionary.clear();
    }
    expect(known.size).toBeGreaterThan(100);
  });
});

describe("a large table of digests", () => {
  const limits = { readAtOnce: 5, kept: 1000 };

  /** A dictionary of a table with some keys, the conditions of its queries for rows, and how often it has read the table. */
  async function looking(values: readonly number[]) {
    await database.execute("CREATE OR REPLACE TABLE things (id INTEGER, digest_start BIGINT, digest_end BIGINT)");
    for (const [index, value] of values.entries()) {
      await database.execute("INSERT INTO things VALUES ($1, $2, $3)", [index + 1, ...digestNumbers(digestOf(value))]);
    }
    const conditions: string[] = [];
    let [statements, filters] = [0, 0];
    const reader = {
      rows: async <T>(sql: string): Promise<T[]> => {
        statements++;
        if (sql.includes("bitstring_agg")) filters++;
        const condition = /digest_end::DOUBLE.*WHERE (\w+) IN/.exec(sql)?.[1];
        if (condition !== undefined) conditions.push(condition);
        return database.rows<T>(sql);
      },
    };
    return {
      dictionary: new Dictionary("things", "digest", { isDigest: true, limits }),
      reader,
      conditions,
      statements: () => statements,
      filters: () => filters,
    };
  }

  const numbers = Array.from({ length: 20 }, (_, value) => value);

  it("is not read for digests that it does not have", async () => {
    const { dictionary, reader, conditions } = await looking(numbers);
    const absent = new Set([100, 101, 102].map(digestOf));
    const { fresh } = await dictionary.resolve(reader, absent);
    expect(fresh).toEqual([...absent]);
    expect(conditions).toEqual([]);
    dictionary.clearIds();
    await dictionary.resolve(reader, new Set([digestOf(3), digestOf(103)]));
    expect(conditions).toEqual(["digest_start"]);
  });

  it("is read only for those that are not near", async () => {
    const { dictionary, reader, conditions } = await looking(numbers);
    const found = await dictionary.resolve(reader, new Set([digestOf(3), digestOf(4)]), [4, 5, 6]);
    expect([found.id(digestOf(3)), found.id(digestOf(4)), found.fresh]).toEqual([4, 5, []]);
    expect(conditions).toEqual(["id"]);
    const other = await dictionary.resolve(reader, new Set([digestOf(7), digestOf(8)]), [8]);
    expect([other.id(digestOf(7)), other.id(digestOf(8)), other.fresh]).toEqual([8, 9, []]);
    expect(conditions).toEqual(["id", "id", "digest_start"]);
  });

  it("can be read before it is used, so that its first use need not; a smaller one is not", async () => {
    const { dictionary, reader, filters } = await looking(numbers);
    await dictionary.preload(reader);
    expect(filters()).toBe(1);
    const absent = new Set([100, 101].map(digestOf));
    expect((await dictionary.resolve(reader, absent)).fresh).toEqual([...absent]);
    expect(filters()).toBe(1);
    const small = await looking(numbers.slice(0, 5));
    await small.dictionary.preload(small.reader);
    expect(small.filters()).toBe(0);
    expect(small.statements()).toBe(1);
  });

  it("has what was added since, and once more than there was room for", async () => {
    const { dictionary, reader } = await looking(numbers);
    for (let batch = 1; batch <= 10; batch++) {
      const keys = Array.from({ length: 20 }, (_, value) => digestOf(batch * 20 + value));
      const ids = await dictionary.resolve(reader, new Set(keys));
      expect(ids.fresh).toEqual(keys);
      for (const key of keys)
        await database.execute("INSERT INTO things VALUES ($1, $2, $3)", [ids.id(key), ...digestNumbers(key)]);
      dictionary.clearIds();
      expect((await dictionary.resolve(reader, new Set(keys))).fresh).toEqual([]);
    }
  });
});
