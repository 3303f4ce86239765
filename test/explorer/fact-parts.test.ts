import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { highestFirst, kindOf, outliersOf, type ValueCount } from "#app/explorer/pages/fact/distribution.ts";
import { type FactLine, factLines, openFacts, pathPattern, sortedLines } from "#app/explorer/pages/facts/fact-tree.ts";
import { exactNumber, type Json } from "#storage/json.ts";

function counted(...values: readonly Json[]): ValueCount[] {
  return values.map((value) => ({ value, count: 1 }));
}

describe("the kind of a fact", () => {
  it.each<[string, Json[], string]>([
    ["numbers", [1, 2.5, exactNumber("12345678901234567890")], "numbers"],
    ["numbers and texts", [1, "2"], "values"],
    ["versions", ["9.6", "12.12", "2022", "8.10"], "versions"],
    ["kernels", ["5.14.0-570.12.1.el9_6.x86_64", "6.1.0-37-amd64"], "versions"],
    ["whole numbers as texts", ["8", "9", "12"], "values"],
    ["names", ["Debian", "AlmaLinux", "9.6"], "values"],
    ["booleans", [true, false], "values"],
    ["nothing", [null], "values"],
  ])("of %s", (_what, values, kind) => {
    expect(kindOf(counted(...values))).toBe(kind);
  });

  it("orders versions by their numbers", () => {
    expect(highestFirst(counted("9.6", "12.12", "8.10", "12.2")).map(({ value }) => value)).toEqual([
      "12.12",
      "12.2",
      "9.6",
      "8.10",
    ]);
  });
});

describe("outliers", () => {
  it("are values that less than 1 % of the nodes have", () => {
    const values = [
      { value: "a", count: 990 },
      { value: "b", count: 10 },
      { value: "c", count: 9 },
    ];
    expect(outliersOf(values, 1009, "values")).toEqual([
      { value: "b", count: 10, why: "rare" },
      { value: "c", count: 9, why: "rare" },
    ]);
  });

  it("do not exist if most nodes have a value of their own", () => {
    const own = Array.from({ length: 500 }, (_, index) => ({ value: `host-${index}`, count: 1 }));
    expect(outliersOf(own, 500, "values")).toEqual([]);
  });

  it("are numbers beyond three interquartile ranges", () => {
    const usual = Array.from({ length: 50 }, (_, index) => ({ value: 100 + index, count: 2 }));
    const values = [...usual, { value: 5000, count: 1 }, { value: -900, count: 1 }];
    expect(outliersOf(values, 102, "numbers")).toEqual([
      { value: 5000, count: 1, why: "high" },
      { value: -900, count: 1, why: "low" },
    ]);
  });

  it("of numbers that are nearly all the same are the rare ones", () => {
    const values = [
      { value: 4, count: 1000 },
      { value: 5, count: 3 },
    ];
    expect(outliersOf(values, 1003, "numbers")).toEqual([{ value: 5, count: 3, why: "rare" }]);
  });
});

/** Whether the pattern for a text finds a path. */
function finds(text: string, path: string): boolean {
  return new RegExp(pathPattern(text).replace("(?i)", ""), "i").test(path);
}

describe("the list of facts", () => {
  const known = {
    facts: [
      { path: ["os"], nodes: 38, distinct: 6 },
      { path: ["kernel"], nodes: 38, distinct: 2 },
    ],
    leaves: [
      { path: ["os", "release", "full"], nodes: 30, distinct: 6 },
      { path: ["os", "name"], nodes: 38, distinct: 4 },
      { path: ["os", "disks", 10], nodes: 1, distinct: 1 },
      { path: ["os", "disks", 9], nodes: 2, distinct: 1 },
    ],
    types: [
      { path: ["kernel"], type: "string" },
      { path: ["os", "name"], type: "string" },
    ],
    open: new Set(["os", "os.disks"]),
    isSearch: false,
  };

  /** The lines sorted by a number. */
  function ids(value: (line: FactLine) => number | undefined, descending: boolean): string[] {
    return sortedLines(factLines(known), value, descending).map(({ id }) => id);
  }

  it("has the parts of open facts, in the order of their names", () => {
    expect(
      factLines(known).map(({ id, depth, nodes, distinct, types, isOpen }) => [
        id,
        depth,
        nodes,
        distinct,
        types.join(),
        isOpen,
      ]),
    ).toEqual([
      ["kernel", 0, 38, 2, "string", false],
      ["os", 0, 38, 6, "structured", true],
      ["os.disks", 1, 2, undefined, "structured", true],
      ["os.disks[9]", 2, 2, 1, "", false],
      ["os.disks[10]", 2, 1, 1, "", false],
      ["os.name", 1, 38, 4, "string", false],
      ["os.release", 1, 30, undefined, "structured", false],
    ]);
  });

  it("is sorted by any column, parts below what they are parts of", () => {
    expect(ids(({ distinct }) => distinct, true)).toEqual([
      "os",
      "os.name",
      "os.disks",
      "os.disks[9]",
      "os.disks[10]",
      "os.release",
      "kernel",
    ]);
    expect(ids(({ nodes }) => nodes, false).slice(1, 6)).toEqual([
      "os",
      "os.disks",
      "os.disks[10]",
      "os.disks[9]",
      "os.release",
    ]);
  });

  it("of a search has what was found, unfolded", () => {
    const found = factLines({ ...known, leaves: known.leaves.slice(0, 1), isSearch: true });
    expect(found.map(({ id }) => id)).toEqual(["os", "os.release", "os.release.full"]);
  });

  it("is fetched for the facts that are open or have an open part", () => {
    expect(openFacts(["os.release", "os", 'mountpoints."/"', "["])).toEqual(["mountpoints", "os"]);
  });

  it("finds paths as people write them", () => {
    expect(finds("Release.FULL", "os#~release#~full")).toBe(true);
    expect(finds("disks[10]", "os#~disks#~10")).toBe(true);
    expect(finds("a.b", "x#~a.b")).toBe(true);
    expect(finds("release.full", "os#~releasexfull")).toBe(false);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => finds(text, "")).not.toThrow();
      }),
    );
  });
});
