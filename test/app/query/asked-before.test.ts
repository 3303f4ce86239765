import { describe, expect, it } from "vitest";
import { AskedBefore, oncePer } from "#app/query/asked-before.ts";

/** What reads a target, and how often it has done so. */
function reader(): { read: (target: string) => () => string; reads: string[] } {
  const reads: string[] = [];
  const read = (target: string) => () => {
    reads.push(target);
    return target.toUpperCase();
  };
  return { read, reads };
}

function refuse(): never {
  throw new Error("not so");
}

describe("what was read of a target", () => {
  it("is kept while no 256 others have been asked for since", () => {
    const before = new AskedBefore<string>();
    const { read, reads } = reader();
    const ask = (target: string): string => before.get(target, read(target));
    expect([ask("/a"), ask("/a"), ask("/b")]).toEqual(["/A", "/A", "/B"]);
    for (let other = 0; other < 254; other++) ask(`/${other}`);
    ask("/a");
    ask("/one more");
    expect(reads.filter((target) => target === "/a")).toHaveLength(1);
    ask("/b");
    expect(reads.filter((target) => target === "/b")).toHaveLength(2);
    ask("/a");
    expect(reads.filter((target) => target === "/a")).toHaveLength(1);
  });

  it("is not kept of long ones, nor where it is wrong", () => {
    const before = new AskedBefore<string>();
    const { read, reads } = reader();
    const long = `/${"x".repeat(5000)}`;
    before.get(long, read(long));
    before.get(long, read(long));
    expect(reads).toHaveLength(2);
    expect(() => before.get("/wrong", refuse)).toThrow("not so");
    expect(before.get("/wrong", () => "right")).toBe("right");
  });
});

describe("what was made of an object", () => {
  it("is made once", () => {
    const made = new WeakMap<object, number>();
    const key = {};
    let times = 0;
    expect(oncePer(made, key, () => ++times)).toBe(1);
    expect(oncePer(made, key, () => ++times)).toBe(1);
    expect(oncePer(made, {}, () => ++times)).toBe(2);
  });
});
