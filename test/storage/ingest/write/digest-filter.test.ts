import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { Database } from "#storage/engine/database.ts";
import { DigestFilter } from "#storage/ingest/write/digest-filter.ts";
import { digestNumbers } from "#storage/ingest/write/digest-ids.ts";

const digestOf = (value: number): string => hash("sha1", String(value), "base64url").slice(0, 16);

it.each([0, 1, 3, 1000, 5000])("of %d digests, all may be there, and few of those that are not", async (stored) => {
  const database = await Database.open({ threads: 1 });
  await database.execute("CREATE TABLE things (id INTEGER, digest_start BIGINT, digest_end BIGINT)");
  // A row that separates others has no digest.
  await database.execute("INSERT INTO things VALUES (-1, NULL, NULL)");
  const rows = Array.from({ length: stored }, (_, value) => `(${value + 1}, ${digestNumbers(digestOf(value)).join()})`);
  if (rows.length > 0) await database.execute(`INSERT INTO things VALUES ${rows.join()}`);
  const filter = await DigestFilter.read(database, "things", stored);
  const added = Math.floor(stored * 0.9);
  for (let value = stored; value < stored + added; value++) filter.add(digestOf(value));
  expect(filter.isFull).toBe(false);
  const present = Array.from({ length: stored + added }, (_, value) => digestOf(value));
  expect(present.filter((digest) => !filter.mayHave(digest))).toEqual([]);
  const absent = Array.from({ length: 10_000 }, (_, index) => digestOf(1_000_000 + index));
  expect(absent.filter((digest) => filter.mayHave(digest)).length).toBeLessThan(stored < 100 ? 5000 : 300);
  for (let value = 0; value < 4 * stored + 20; value++) filter.add(digestOf(10_000 + value));
  expect(filter.isFull).toBe(true);
  await database.close();
});
