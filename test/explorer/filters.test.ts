import { silenceAt } from "#storage/states/node-state.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseAlso,
  chooseOnly,
  exclude,
  type Filter,
  filterCondition,
  filtersCodec,
  readFilter,
  writeFilter,
} from "#app/explorer/pages/facets/filters.ts";
import { query } from "#app/explorer/pages/pql/text.ts";
import { parsePql } from "#storage/query/pql/parse.ts";

const silence = silenceAt(Date.parse("2026-11-20T10:00:00.000Z"), 0);

/** What a part in quotes cannot contain: a quote with a dot or white space behind it ends the part. */
const UNWRITABLE = /"[. \t\v\f]|[\n\r\u0085\u2028\u2029]/;

/** A dotted field; the parts that need quotes have them. */
const field = fc.oneof(
  fc.constantFrom("report_environment", "latest_report_status", "catalog_environment"),
  fc
    .array(
      fc.oneof(
        fc.stringMatching(/^[a-z_]\w{0,8}$/),
        fc.string({ maxLength: 8 }).filter((part) => part !== "" && !UNWRITABLE.test(part)),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((parts) => ["facts", ...parts].map((part) => (/^[A-Za-z_]\w*$/.test(part) ? part : `"${part}"`)).join(".")),
);
const filter: fc.Arbitrary<Filter> = fc.record({
  field,
  value: fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.constantFrom(2 ** 63, -(2 ** 63), -(2 ** 64), 1e300),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
    fc.boolean(),
    fc.constant(null),
  ),
  excludes: fc.boolean(),
});

describe("filters in the address", () => {
  it("are read as they were written", () => {
    fc.assert(
      fc.property(fc.array(filter, { maxLength: 5 }), (filters) => {
        const search = new URLSearchParams(
          filtersCodec.write(filters).map((text): [string, string] => ["f", text.toWellFormed()]),
        );
        const wellFormed = filters.map((one) => readFilter(writeFilter(one).toWellFormed()));
        expect(filtersCodec.read(new URLSearchParams(search.toString()).getAll("f"))).toStrictEqual(wellFormed);
      }),
    );
  });

  it("divide at the first sign outside of quotes", () => {
    expect(readFilter('facts.mountpoints."/a=b"."c!=d"!="e=f"')).toStrictEqual({
      field: 'facts.mountpoints."/a=b"."c!=d"',
      value: "e=f",
      excludes: true,
    });
  });

  it("divide where a field ends, when a name has signs and quotes in it", () => {
    expect(readFilter('facts."a"="b"="c"')).toStrictEqual({ field: 'facts."a"="b"', value: "c", excludes: false });
    expect(readFilter('facts."a"!="b"=1')).toStrictEqual({ field: 'facts."a"!="b"', value: 1, excludes: false });
    expect(readFilter(String.raw`facts."C:\"=1`)).toStrictEqual({
      field: String.raw`facts."C:\"`,
      value: 1,
      excludes: false,
    });
  });

  it("may be written by hand, with a text that is not JSON", () => {
    expect(readFilter("latest_report_status=failed")).toMatchObject({ field: "latest_report_status", value: "failed" });
  });

  it.each([
    "",
    "x",
    "=1",
    "!=1",
    'facts."a=1',
    "a={}",
    "a b=1",
    "<meta a=1",
    'certname ~ "." or x=1',
    "a.=1",
    'facts."a" b"=1',
    'facts."a\nb"=1',
  ])("are dropped when they are invalid: %s", (text) => {
    expect(filtersCodec.read([text])).toStrictEqual([]);
  });

  it("keep a number as it was written", () => {
    expect(writeFilter(readFilter("facts.size=12345678901234567890.0") as Filter)).toBe(
      "facts.size=12345678901234567890.0",
    );
  });
});

describe("choosing a value", () => {
  const debian: Filter = { field: "facts.os.name", value: "Debian", excludes: false };
  const other: Filter = { field: "report_environment", value: "staging", excludes: false };

  it("replaces the others of its field, and removes it the second time", () => {
    const once = chooseOnly([debian, other], "facts.os.name", "Ubuntu");
    expect(once).toStrictEqual([other, { ...debian, value: "Ubuntu" }]);
    expect(chooseOnly(once, "facts.os.name", "Ubuntu")).toStrictEqual([other]);
  });

  it("adds it to the others of its field, and turns an excluded one around", () => {
    expect(chooseAlso([debian], "facts.os.name", "Ubuntu")).toHaveLength(2);
    expect(chooseAlso([{ ...debian, excludes: true }], "facts.os.name", "Debian")).toStrictEqual([debian]);
    expect(exclude([debian], "facts.os.name", "Debian")).toStrictEqual([{ ...debian, excludes: true }]);
    expect(exclude([{ ...debian, excludes: true }], "facts.os.name", "Debian")).toStrictEqual([]);
  });
});

describe("filters as a condition", () => {
  it("are PQL that the parser accepts, for any field and value", () => {
    fc.assert(
      fc.property(fc.array(filter, { minLength: 1, maxLength: 4 }), (filters) => {
        const where = filterCondition(filters, { entity: "nodes", silence });
        expect(parsePql(query("nodes", { select: ["certname"], where }))).toMatchObject([
          "from",
          "nodes",
          ["extract", ["certname"], expect.anything()],
        ]);
      }),
    );
  });

  it("accept one of several values of a field, and all fields", () => {
    const filters = filtersCodec.read(['facts.os.name="Debian"', 'facts.os.name="Ubuntu"', 'report_environment!="a"']);
    expect(filterCondition(filters ?? [], { entity: "nodes", silence })).toBe(
      '(inventory{ facts.os.name = "Debian" } or inventory{ facts.os.name = "Ubuntu" }) and (report_environment is null or !(report_environment = "a"))',
    );
  });

  it("use fields of the catalog", () => {
    const filters = filtersCodec.read(['catalogs.producer="a"', 'catalogs.producer!="b"', "catalogs.producer=null"]);
    expect(filterCondition(filters ?? [], { entity: "nodes", silence })).toBe(
      '(catalogs{ producer = "a" } or !catalogs{ producer is not null }) and !catalogs{ producer = "b" }',
    );
  });

  it.each([
    ["9223372036854775807", "9223372036854775807"],
    ["9223372036854775808", "9223372036854775808.0"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["1e21", "1.0e21"],
    ["0.5", "0.5"],
  ])("writes the number %s so that PQL reads it: %s", (written, expected) => {
    const filters = filtersCodec.read([`facts.size=${written}`]) ?? [];
    expect(filterCondition(filters, { entity: "inventory", silence })).toBe(`facts.size = ${expected}`);
  });

  it("use a fact as a field where it is one", () => {
    const filters = filtersCodec.read(["facts.processors.count=4"]) ?? [];
    expect(filterCondition(filters, { entity: "inventory", silence })).toBe("facts.processors.count = 4");
  });
});
