import { describe, expect, it } from "vitest";
import { countLeaves, treeLines } from "#app/explorer/pages/tree/lines.ts";
import type { Json } from "#storage/json.ts";

const facts: Json = {
  kernel: "Linux",
  os: { name: "Debian", release: { full: "12.5", major: "12" } },
  dns: { servers: ["10.0.0.1", "10.0.0.2"] },
  empty: {},
};

/** Names with their levels. */
function shown(open: readonly (readonly (string | number)[])[], search = ""): string[] {
  const ids = new Set(open.map((path) => JSON.stringify(path)));
  return treeLines(facts, ids, search).map(({ level, name }) => `${"  ".repeat(level - 1)}${name}`);
}

describe("the lines of a tree", () => {
  it("are the outermost ones, and those inside of what was opened", () => {
    expect(shown([])).toStrictEqual(["kernel", "os", "dns", "empty"]);
    expect(shown([["os"], ["dns", "servers"]])).toStrictEqual(["kernel", "os", "  name", "  release", "dns", "empty"]);
    expect(shown([["dns"], ["dns", "servers"]])).toStrictEqual([
      "kernel",
      "os",
      "dns",
      "  servers",
      "    0",
      "    1",
      "empty",
    ]);
  });

  it("are those around what was found in a path or a value", () => {
    expect(shown([], "release.major")).toStrictEqual(["os", "  release", "    major"]);
    expect(shown([], "10.0.0.2")).toStrictEqual(["dns", "  servers", "    1"]);
    expect(shown([], "debian")).toStrictEqual(["os", "  name"]);
    expect(shown([], "nothing")).toStrictEqual([]);
  });

  it("show what is inside of a match when it is opened, and fold what is around one when it is closed", () => {
    expect(shown([], "servers")).toStrictEqual(["dns", "  servers"]);
    expect(shown([["dns", "servers"]], "servers")).toStrictEqual(["dns", "  servers", "    0", "    1"]);
    expect(shown([["dns"]], "servers")).toStrictEqual(["dns"]);
  });

  it("are counted by their scalars", () => {
    expect(countLeaves(facts)).toBe(6);
  });

  it("end at a depth of 100, however deep the value is", () => {
    let deep: Json = "end";
    for (let level = 0; level < 5000; level += 1) deep = { a: deep };
    expect(treeLines(deep, new Set(), "end")).toStrictEqual([]);
    expect(treeLines(deep, new Set(), "")).toHaveLength(1);
  });
});
