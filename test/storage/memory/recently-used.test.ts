import { describe, expect, it } from "vitest";
import { RecentlyUsed } from "#storage/memory/recently-used.ts";

const sizeOf = (value: string): number => value.length;

function keysOf(kept: RecentlyUsed<string>, keys: string): string {
  return keys
    .split("")
    .filter((key) => kept.peek(key) !== undefined)
    .join("");
}

describe("values by key", () => {
  it("lose the least recently used ones above the limit of bytes", () => {
    const kept = new RecentlyUsed<string>({ bytes: 10, sizeOf });
    for (const key of ["a", "b", "c"]) kept.set(key, "123");
    expect(kept.get("a")).toBe("123");
    // Looking is no use.
    expect(kept.peek("b")).toBe("123");
    kept.set("d", "123");
    expect(keysOf(kept, "abcd")).toBe("acd");
    expect([kept.size, kept.bytes]).toEqual([3, 9]);
    kept.set("e", "1234567");
    expect(keysOf(kept, "abcde")).toBe("de");
  });

  it("lose the least recently used ones above the limit of their number", () => {
    const kept = new RecentlyUsed<string>({ bytes: Infinity, entries: 2, sizeOf });
    for (const key of ["a", "b", "a", "c"]) kept.set(key, key);
    expect(keysOf(kept, "abc")).toBe("ac");
  });

  it("are measured again when they are set again, and are counted once", () => {
    const kept = new RecentlyUsed<string>({ bytes: 10, sizeOf });
    kept.set("a", "1");
    kept.set("b", "1");
    kept.set("a", "12345");
    expect(kept.bytes).toBe(6);
    kept.delete("a");
    kept.delete("a");
    expect([kept.size, kept.bytes]).toEqual([1, 1]);
  });

  it("are not kept where one is larger than the limit", () => {
    const kept = new RecentlyUsed<string>({ bytes: 3, sizeOf });
    kept.set("a", "1234");
    expect([kept.get("a"), kept.size, kept.bytes]).toEqual([undefined, 0, 0]);
  });
});
