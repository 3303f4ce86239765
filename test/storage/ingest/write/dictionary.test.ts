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
      tx.execute("CREATE OR REPLACE TABLE things (id INTEGER, key VARCHAR, digest_start BIGINT, digest_end BIGINT)"),
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
          await tx.execute("INSERT INTO things VALUES ($1, $2, $3, $4)", [
            id,
            key,
            ...(options.isDigest === true ? digestNumbers(key) : [null, null]),
          ]);
        }
        for (const key of keys) expect(ids.id(key)).toBe(known.get(key));
      });
      if (random.chance(0.2)) {
        const [deleted = ""] = keys;
        await database.transaction(async (tx) => tx.execute("DELETE FROM things WHERE key = $1", [deleted]));
        dictionary.delete([deleted]);
        known.delete(deleted);
      }
      if (random.chance(0.1)) dictionary = new Dictionary("things", "key", options);
      if (random.chance(0.1)) dictionary.clear();
    }
    expect(known.size).toBeGreaterThan(100);
  });
});
