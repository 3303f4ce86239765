import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Json, parseJson } from "#storage/json.ts";
import { extensions } from "#storage/query/extensions.ts";
import { cellText } from "#storage/output/cells.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { portableAst, type QuerySpec } from "#storage/query/query.ts";
import type { Store } from "#storage/store.ts";
import { populatedStore, queryRows, refusalOf } from "#test/fixture-store.ts";

let store: Store;
beforeAll(async () => {
  store = await populatedStore();
});
afterAll(() => store.close());

/** A query at the root in PQL, or as the text of an AST. */
function specOf(text: string): QuerySpec {
  return text.startsWith("[") ? { of: "root", query: parseJson(text) } : { of: "root", pql: text };
}

function astOf(text: string): Json {
  return text.startsWith("[") ? parseJson(text) : parsePql(text);
}

/** The values of each row in one text. */
async function lines(text: string): Promise<string[]> {
  const rows = (await queryRows(store, specOf(text))) as Record<string, Json>[];
  return rows.map((row) => Object.values(row).map(cellText).join(" "));
}

describe("in with a list for a part of a document", () => {
  it.each([
    ['inventory[certname]{ facts.kernel in ["Linux", "AIX"] order by certname }', ["alpha", "gamma"]],
    // As with =, texts and numbers differ, and nodes without the fact are not in the list.
    ["inventory[certname]{ facts.uptime in [10, 4.5] order by certname }", ["alpha", "gamma"]],
    ['inventory[certname]{ facts.uptime in [10, "10"] order by certname }', ["alpha", "beta"]],
    ['inventory[certname]{ ! facts.os.family in ["Debian"] order by certname }', ["beta", "gamma"]],
    ["inventory[certname]{ facts.nics[0].mtu in [1500] }", ["alpha"]],
    ['inventory[certname]{ trusted.extensions.role in ["web", "db"] }', ["alpha"]],
    ['resources[certname]{ parameters.ensure in ["file"] }', ["alpha"]],
    ['nodes[certname]{ certname in inventory[certname]{ facts.os.family in ["RedHat"] } }', ["beta"]],
    ['["from", "inventory", ["extract", "certname", ["in", "facts.kernel", ["array", []]]]]', []],
    [
      '["from", "inventory", ["extract", "certname", ["not", ["in", "facts.kernel", ["array", []]]]], ["order_by", ["certname"]]]',
      ["alpha", "beta", "gamma"],
    ],
  ])("%s", async (text, expected) => {
    expect(await lines(text)).toEqual(expected);
  });

  it("is written as alternatives for PuppetDB", () => {
    expect(portableAst(parsePql('inventory{ facts.kernel in ["Linux", 5] }'))).toEqual([
      "from",
      "inventory",
      ["or", ["=", "facts.kernel", "Linux"], ["=", "facts.kernel", 5]],
    ]);
  });

  it("leaves operands as they are", () => {
    const ast: Json = ["from", "facts", ["=", "value", ["in", "a.b", ["array", [1]]]]];
    expect(portableAst(ast)).toEqual(ast);
  });
});

describe("order by a part of a document", () => {
  it.each([
    // Texts are less than numbers.
    ["inventory[certname]{ order by facts.uptime desc }", ["alpha", "gamma", "beta"]],
    ["inventory[certname]{ order by facts.os.family }", ["alpha", "beta", "gamma"]],
    ["inventory[certname]{ order by facts.os.family desc }", ["gamma", "beta", "alpha"]],
    ["inventory[certname]{order by facts.os.family desc limit 1}", ["gamma"]],
    ["inventory[certname]{order by facts.kernel, facts.half limit 2}", ["beta", "gamma"]],
    ["inventory[certname]{ order by facts.nics[0].mtu limit 2 }", ["alpha", "beta"]],
    ["inventory[certname, facts.half]{ order by facts.half limit 1 }", ["gamma -2.5"]],
    ["resources[title]{ order by parameters.size limit 1 }", ["/etc/ntp.conf"]],
    [
      "nodes[certname]{ certname in inventory[certname]{ facts.half is not null order by facts.half limit 1 } }",
      ["gamma"],
    ],
  ])("%s", async (text, expected) => {
    expect(await lines(text)).toEqual(expected);
  });

  it("is possible in the parameter order_by", async () => {
    const spec = specOf("inventory[certname]{}");
    const rows = await queryRows(store, {
      ...spec,
      orderBy: [{ field: "facts.kernel", descending: false }],
      limit: 1n,
    });
    expect(rows).toEqual([{ certname: "beta" }]);
  });

  it("refuses several parts", async () => {
    expect(await refusalOf(store, specOf('["from", "inventory", ["order_by", ["facts.match(\\"k.*\\")"]]]'))).toMatch(
      /names no single part/,
    );
  });
});

describe("order by a function", () => {
  it.each([
    ['facts[value, count()]{ name = "kernel" group by value order by count desc }', ["Linux 2", "Darwin 1"]],
    ["resources[type, count()]{ group by type order by count desc, type limit 2 }", ["Class 2", "Package 2"]],
    ["resources[type, count()]{ group by type order by count() desc, type limit 2 }", ["Class 2", "Package 2"]],
    ["resources[type, min(line), max(line)]{ group by type order by max(line) desc, type limit 1 }", ["Class  "]],
    // By number, not by text.
    [
      'facts[name, max(value)]{ name in ["uptime", "float"] group by name order by max desc }',
      ["uptime 10", "float 5.0"],
    ],
    [
      'facts[name, avg(value)]{ name in ["uptime", "float"] group by name order by avg }',
      [expect.stringMatching(/^float 5/) as string, expect.stringMatching(/^uptime 8\.1/) as string],
    ],
    ["resources[type, max(line)]{ group by type order by max desc, type limit 3 }", ["Class ", "Notify ", "File 20"]],
    [
      'reports[to_string(end_time, "HH24"), count()]{ group by to_string(end_time, "HH24") order by to_string desc limit 2 }',
      ["12 1", "11 1"],
    ],
    [
      'reports[certname, to_string(end_time, "HH24")]{ certname = "alpha" order by to_string }',
      ["alpha 08", "alpha 10"],
    ],
    ["inventory[facts.kernel, count()]{ group by facts.kernel order by facts.kernel desc }", ["Linux 2", "Darwin 1"]],
  ])("%s", async (text, expected) => {
    expect(await lines(text)).toEqual(expected);
  });

  it("is possible in the parameter order_by", async () => {
    const spec = specOf('facts[value, count()]{ name = "kernel" group by value }');
    const rows = await queryRows(store, { ...spec, orderBy: [{ field: "count", descending: true }], limit: 1n });
    expect(rows).toEqual([{ value: "Linux", count: 2 }]);
  });

  it("needs the function in the projection", async () => {
    const text = "resources[type]{ group by type order by count }";
    expect(await refusalOf(store, specOf(text))).toMatch(/^Unrecognized column 'count' specified in :order_by/);
    const other = "resources[type, avg(line)]{ group by type order by count }";
    expect(await refusalOf(store, specOf(other))).toMatch(/, 'avg'$/);
    const otherArgument = "reports[certname, max(start_time)]{ group by certname order by max(end_time) }";
    expect(await refusalOf(store, specOf(otherArgument))).toMatch(/^Unrecognized column 'max\(end_time\)' /);
  });
});

describe("functions of a part of a document", () => {
  it.each([
    ["inventory[sum(facts.half), count(), count(facts.os.family)]{}", ["2.5 3 2"]],
    ["inventory[avg(facts.half)]{}", [expect.stringMatching(/^0\.83/) as string]],
    ["inventory[sum(facts.nics[0].mtu)]{}", ["10500"]],
    ["resources[sum(parameters.size)]{}", ["80"]],
    ["inventory[facts.kernel, max(facts.half)]{group by facts.kernel order by max desc}", ["Linux 2.5", "Darwin 2.50"]],
    ['inventory[to_string(facts.nics[0].mtu, "FM00000")]{ order by certname }', ["01500", "09000", ""]],
    [
      '["from", "inventory", ["extract", [["function", "sum", "facts.uptime"]], ["=", ["function", "jsonb_typeof", "facts.uptime"], "number"]]]',
      ["14.5"],
    ],
  ])("%s", async (text, expected) => {
    expect((await lines(text)).sort()).toEqual([...expected].sort());
  });

  it("refuses what is no number", async () => {
    expect(await refusalOf(store, specOf("inventory[avg(facts.kernel)]{}"))).toMatch(/^avg takes numbers/);
  });
});

describe("a projected part of a document", () => {
  it("may have an index", async () => {
    expect(await lines('inventory[facts.nics[1].name, facts.list[0], facts.kernel[0]]{ certname = "alpha" }')).toEqual([
      "eth1 x ",
    ]);
  });

  it("may have a long name", async () => {
    const name = `facts.${"x".repeat(58)}`;
    expect(await queryRows(store, specOf(`inventory[${name}]{ certname = "alpha" }`))).toEqual([{ [name]: null }]);
  });
});

describe("PQL", () => {
  it.each([
    ['nodes{(a=1)and(b=2)or(c="x"and!d=4)}', 'nodes{ (a = 1) and (b = 2) or (c = "x" and ! d = 4) }'],
    ['nodes{ a = "and(b" or[a,b]in[[1,2]] }', 'nodes{ a = "and(b" or [a, b] in [[1, 2]] }'],
    ["facts[name, count()]{ group by name order by name limit 1 offset 2 }", undefined],
    [
      "inventory[avg(facts.a.b), count()]{group by facts.a.b}",
      "inventory[avg(facts.a.b ), count()]{ group by facts.a.b }",
    ],
    ["nodes{a in inventory[a]{order by facts.a.b}}", "nodes{ a in inventory[a]{ order by facts.a.b } }"],
    // A connective that is part of a name, and paging that begins like one.
    ["nodes{ order = 1 and android = 2 }", undefined],
    ['nodes{ a = "x"order by a }', 'nodes{ a = "x" order by a }'],
  ])("%s", (text, same = text) => {
    expect(parsePql(text)).toEqual(parsePql(same));
  });

  it("keeps what PuppetDB takes for a part of a name", () => {
    expect(parsePql("inventory[facts.a)]{ group by facts.a} }")).toEqual([
      "from",
      "inventory",
      ["extract", ["facts.a)"], ["group_by", "facts.a}"]],
    ]);
  });
});

describe("what is in the list", () => {
  const readable = extensions.filter(({ isIn }) => isIn === undefined);
  const own = extensions.filter(({ isIn }) => isIn !== undefined);

  it.each(extensions)("is answered: $what", async ({ example }) => {
    await expect(queryRows(store, specOf(example))).resolves.toBeInstanceOf(Array);
  });

  it.each(readable)("has AST for PuppetDB: $what", async ({ example }) => {
    const rows = await queryRows(store, { of: "root", query: portableAst(astOf(example)) });
    expect(rows).toEqual(await queryRows(store, specOf(example)));
  });

  it.each(own)("is refused for PuppetDB: $what", ({ what, example }) => {
    const message = `PuppetDB cannot read this query, though Census does: it has ${what.replaceAll("`", "")}`;
    expect(() => portableAst(astOf(example))).toThrow(message);
  });

  it("refuses for PuppetDB what is in a subquery", () => {
    const text = "nodes{ certname in inventory[certname]{ order by facts.kernel limit 1 } }";
    expect(() => portableAst(parsePql(text))).toThrow("it has order by a part of a document");
  });
});
