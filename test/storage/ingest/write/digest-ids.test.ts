import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DigestIds, digestNumbers } from "#storage/ingest/write/digest-ids.ts";
import { Random } from "#fixtures/random.ts";

const digestOf = (value: number): string => hash("sha1", String(value), "base64url").slice(0, 16);

/** Digests that begin in the same slot of a small table: they differ in their last bits only. */
const alike = (value: number): string => `AAAAAAAAAAAAA${Buffer.from([value, 0, 0]).toString("base64url").slice(0, 3)}`;

describe("ids by digests", () => {
  it.each<[what: string, keyOf: (value: number) => string, values: number]>([
    ["digests", digestOf, 3000],
    ["digests that begin in the same slot", alike, 256],
    ["other keys", (value) => `key ${value}`, 300],
    ["digests and others", (value) => (value % 2 === 0 ? digestOf(value) : `~${digestOf(value).slice(1)}`), 3000],
  ])("are those that a map has, for %s", (_what, keyOf, values) => {
    const random = new Random("digests", 1);
    const [ids, map] = [new DigestIds(), new Map<string, number>()];
    for (let turn = 0; turn < 20_000; turn++) {
      const key = keyOf(random.integer(0, values - 1));
      if (random.chance(0.4)) {
        ids.delete(key);
        map.delete(key);
      } else {
        ids.set(key, turn + 1);
        map.set(key, turn + 1);
      }
      const looked = keyOf(random.integer(0, values - 1));
      expect([ids.get(looked), ids.size]).toEqual([map.get(looked), map.size]);
    }
    for (let value = 0; value < values; value++) expect(ids.get(keyOf(value))).toBe(map.get(keyOf(value)));
    ids.clear();
    expect([ids.size, ids.get(keyOf(1))]).toEqual([0, undefined]);
  });

  it("distinguish digests that differ in one bit", () => {
    const ids = new DigestIds();
    const bytes = Buffer.alloc(12);
    const keys = Array.from({ length: 96 }, (_, bit) => {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = 1 << (bit & 7);
      return changed.toString("base64url");
    });
    for (const [index, key] of keys.entries()) ids.set(key, index + 1);
    expect(ids.size).toBe(96);
    expect(keys.map((key) => ids.get(key))).toEqual(keys.map((_, index) => index + 1));
    expect(ids.get(bytes.toString("base64url"))).toBeUndefined();
  });
});

it.each([
  ["AAAAAAAAAAAAAAAA", 0, 0],
  ["________________", 2 ** 48 - 1, 2 ** 48 - 1],
  ["_-9zAAABAAAAAA-_", 0xffef73000001, 0x000000000fbf],
])("the halves of the digest %s are numbers of 48 bits", (digest, start, end) => {
  expect(digestNumbers(digest)).toEqual([start, end]);
});
