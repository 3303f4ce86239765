import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#storage/store.ts";
import { a, emptyStore, fieldOf } from "#test/fixture-store.ts";

const names = ["ab", "aab", "abb", "a.b", "a%b", "a_b", "a\nb", "ba", "AB"];

let store: Store;
beforeAll(async () => {
  store = await emptyStore();
  await Promise.all(names.map((certname) => store.submit(a.facts(certname))));
});
afterAll(() => store.close());

/** PostgreSQL's own results, which differ from the engine's for some patterns (reference/query.md §4.2). */
describe("a pattern matches the same values as in PostgreSQL", () => {
  it.each<[pattern: string, matching: string[]]>([
    ["", names],
    ["ab", ["ab", "aab", "abb"]],
    ["^ab", ["ab", "abb"]],
    ["ab$", ["ab", "aab"]],
    ["^ab$", ["ab"]],
    ["^a.b$", ["aab", "abb", "a.b", "a%b", "a_b", "a\nb"]],
    ["a\\.b", ["a.b"]],
    ["%", ["a%b"]],
    ["_", ["a_b"]],
    ["^a.*b$", ["ab", "aab", "abb", "a.b", "a%b", "a_b", "a\nb"]],
    ["(?i)^ab$", ["ab", "AB"]],
    ["^(a|b)[ab]$", ["ab", "ba"]],
    ["^b|b$", ["ab", "aab", "abb", "a.b", "a%b", "a_b", "a\nb", "ba"]],
    ["(?=.%)a", ["a%b"]],
    // An anchor in the middle never matches; the engine once ignored it and matched the rest.
    ["a^b", []],
    ["a$b", []],
    ["a^", []],
    ["$a", []],
    ["^$", []],
    ["^^ab$$", ["ab"]],
    // … and an empty group once removed the character before it.
    ["aa()", ["aab"]],
    ["a()b", ["ab", "aab", "abb"]],
    ["()ab()$", ["ab", "aab"]],
  ])("%j", async (pattern, matching) => {
    expect(await fieldOf(store, "nodes", "certname", ["~", "certname", pattern])).toEqual([...matching].sort());
  });
});
