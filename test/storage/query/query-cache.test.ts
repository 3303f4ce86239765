import { describe, expect, it } from "vitest";
import { type Cacheable, type Dependency, QueryCache } from "#storage/query/query-cache.ts";

/** Makes values that say which one of their key they are. */
function maker(): (key: string, bytes?: number, dependsOn?: Dependency[]) => () => Cacheable<string> {
  const times = new Map<string, number>();
  return (key, bytes = 0, dependsOn = []) =>
    () => {
      const time = (times.get(key) ?? 0) + 1;
      times.set(key, time);
      return { value: `${key}${time}`, bytes, dependsOn };
    };
}

function fails(): never {
  throw new Error("wrong");
}

describe("the cache of queries", () => {
  it("computes a value once for each key", () => {
    const [cache, make] = [new QueryCache(), maker()];
    expect(cache.get("a", make("a"))).toBe("a1");
    expect(cache.get("b", make("b"))).toBe("b1");
    expect(cache.get("a", make("a"))).toBe("a1");
  });

  it("computes it again once a dependency has changed", () => {
    const [cache, make] = [new QueryCache(), maker()];
    let [isAwake, isKnown] = [true, true];
    const dependsOn: Dependency[] = [
      { on: "inactive nodes", isUnchanged: () => isAwake },
      { on: "node", isUnchanged: () => isKnown },
    ];
    cache.get("a", make("a", 0, dependsOn));
    expect(cache.get("a", make("a", 0, dependsOn))).toBe("a1");
    isKnown = false;
    expect(cache.get("a", make("a", 0, dependsOn))).toBe("a2");
    [isAwake, isKnown] = [false, true];
    expect(cache.get("a", make("a", 0, dependsOn))).toBe("a3");
    expect(cache.size.entries).toBe(1);
  });

  it("drops the least recently used beyond its number of entries", () => {
    const [cache, make] = [new QueryCache({ entries: 2 }), maker()];
    for (const key of ["a", "b", "a", "c"]) cache.get(key, make(key));
    expect(cache.get("a", make("a"))).toBe("a1");
    expect(cache.get("b", make("b"))).toBe("b2");
    expect(cache.size.entries).toBe(2);
  });

  it("drops the least recently used beyond its bytes, keys included", () => {
    const [cache, make] = [new QueryCache({ bytes: 100 }), maker()];
    cache.get("a", make("a", 40));
    cache.get("b", make("b", 40));
    expect(cache.size).toEqual({ entries: 2, bytes: 84 });
    cache.get("c", make("c", 40));
    expect(cache.size).toEqual({ entries: 2, bytes: 84 });
    cache.get("large", make("large", 200));
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });

  it("caches neither values with a long key nor failures", () => {
    const [cache, make] = [new QueryCache({ keyLength: 3 }), maker()];
    expect(cache.get("long", make("long"))).toBe("long1");
    expect(cache.get("long", make("long"))).toBe("long2");
    expect(() => cache.get("a", fails)).toThrow("wrong");
    expect(cache.size).toEqual({ entries: 0, bytes: 0 });
  });
});
