import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  factAddress,
  factField,
  type FactPath,
  readFactAddress,
  readFactField,
} from "#app/explorer/pages/pql/fact-path.ts";
import { query } from "#app/explorer/pages/pql/text.ts";
import { dottedRef } from "#storage/query/ast/dotted.ts";
import { entities } from "#storage/query/entities/index.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

const key = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_-]{0,6}$/),
  fc.stringMatching(/^[\\"./[\]0-9 a=!<>~,()]{1,6}$/),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const anyPath: fc.Arbitrary<FactPath> = fc.array(fc.oneof({ weight: 4, arbitrary: key }, fc.nat(9)), {
  minLength: 1,
  maxLength: 4,
});

/** The path that the server reads in a condition on a field. */
function pathOnServer(field: string): FactPath {
  const ast = parsePql(query("inventory", { select: ["certname"], where: `${field} is not null` })) as unknown as [
    string,
    string,
    [string, string[], [string, string, boolean]],
  ];
  const facts = entities["inventory"]?.fields["facts"];
  if (facts === undefined) throw new Error("the inventory has facts");
  return dottedRef(facts, ast[2][2][1]).path.map((part) =>
    part.kind === "index" ? part.index : "name" in part ? part.name : part.pattern,
  );
}

describe("the path of a fact as a field", () => {
  it("is read by the server as the same path, and in the address too", () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const field = factField(path);
        if (field === undefined) return;
        expect(pathOnServer(field)).toStrictEqual(path);
        expect(readFactField(field)).toStrictEqual(path);
      }),
      { numRuns: 2000 },
    );
  });

  it("has quotes where they are needed", () => {
    expect(factField(["os", "release", "full"])).toBe("facts.os.release.full");
    expect(factField(["mountpoints", "/", "size_bytes"])).toBe('facts.mountpoints."/".size_bytes');
    expect(factField(["dns", "servers", 0, "name"])).toBe("facts.dns.servers[0].name");
    expect(factField(["a\\b", "1"])).toBe('facts."a\\b"."1"');
  });

  it.each([[[]], [['a"b']], [["a", 0, 1]], [["a[0]"]], [["/", 0]], [["a\n"]]])(
    "does not exist for %j",
    (path: FactPath) => {
      expect(factField(path)).toBeUndefined();
    },
  );

  it.each(["facts", "facts.", "facts..a", "certname", 'facts."a', "facts.a[x]"])("is not read from %s", (text) => {
    expect(readFactField(text)).toBeUndefined();
  });

  it("can be a column wherever it ends", () => {
    expect(parsePql(query("inventory", { select: ["certname", 'facts."a b"', "facts.os"] }))).toStrictEqual([
      "from",
      "inventory",
      ["extract", ["certname", 'facts."a b"', "facts.os"]],
    ]);
  });

  it("in the address of its page is any path at all", () => {
    expect(factAddress(["mountpoints", "/", "size_bytes"])).toBe('mountpoints."/".size_bytes');
    expect(factAddress(["a", 0, 1])).toBe('["a",0,1]');
    fc.assert(
      fc.property(anyPath, (path) => {
        expect(readFactAddress(factAddress(path))).toStrictEqual(path);
      }),
      { numRuns: 1000 },
    );
    expect(["", "[", "[]", "[1.5]", "[{}]", "a..b"].map(readFactAddress)).toEqual(Array(6).fill(undefined));
  });
});
