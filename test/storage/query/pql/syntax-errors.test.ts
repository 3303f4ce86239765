import { describe, expect, it } from "vitest";
import { parsePql, PqlSyntaxError } from "#storage/query/pql/parse.ts";

const ENTITIES =
  "events edges inventory fact_contents fact_paths factsets environments nodes resources package_inventory packages " +
  "catalogs reports facts";
const AT_START = `${ENTITIES} #"\\s+"`;
const VALUES = '[ false true #"[0-9]+" - \' "';
const AT_OPERATOR = ["is not null", "is null", ..."in !~ != = > < <= >= ~> ~".split(" ")];
const BEHIND_FILTER = ["}", "order by", "offset", "limit", "group by", String.raw`#"\s+"`];

/** Recorded from PuppetDB: query, position, the echoed line and its mark, and the alternatives in any order. */
const RECORDED: readonly (readonly [pql: string, column: number, excerpt: string, alternatives: readonly string[]])[] =
  [
    ["nodez{}", 1, "nodez{}\n^", AT_START.split(" ")],
    ["NODES{}", 1, "NODES{}\n^", AT_START.split(" ")],
    ["{}", 1, "{}\n^", AT_START.split(" ")],
    ["fact_names{}", 1, "fact_names{}\n^", AT_START.split(" ")],
    ["producers{}", 1, "producers{}\n^", AT_START.split(" ")],
    ["catalog_inputs{}", 1, "catalog_inputs{}\n^", AT_START.split(" ")],
    ["", 1, "null\nnull", AT_START.split(" ")],
    ["nodes", 6, "nodes\n     ^", String.raw`{ #"\s+" [`.split(" ")],
    [
      "nodes{",
      7,
      "nodes{\n      ^",
      [
        ...BEHIND_FILTER,
        ...ENTITIES.split(" "),
        ...String.raw`parameters trusted #"[a-zA-Z0-9_]+\??" [ ( !`.split(" "),
      ],
    ],
    ["nodes[certname", 15, "nodes[certname\n              ^", String.raw`] #"\s+" ,`.split(" ")],
    ["nodes[certname]{ certname }", 27, `nodes[certname]{ certname }\n${" ".repeat(26)}^`, AT_OPERATOR],
    [
      'nodes[certname]{ certname like "x" }',
      27,
      `nodes[certname]{ certname like "x" }\n${" ".repeat(26)}^`,
      AT_OPERATOR,
    ],
    ["nodes[certname]{ certname = }", 29, `nodes[certname]{ certname = }\n${" ".repeat(28)}^`, VALUES.split(" ")],
    ["nodes[certname]{certname = }", 28, `nodes[certname]{certname = }\n${" ".repeat(27)}^`, VALUES.split(" ")],
    ["resources{ type = Class }", 19, `resources{ type = Class }\n${" ".repeat(18)}^`, VALUES.split(" ")],
    [
      "nodes[certname]{ certname in [] }",
      31,
      `nodes[certname]{ certname in [] }\n${" ".repeat(30)}^`,
      [...VALUES.split(" "), String.raw`#"\s+"`],
    ],
    [
      'nodes[certname]{ certname = "unterminated }',
      44,
      `nodes[certname]{ certname = "unterminated }\n${" ".repeat(43)}^`,
      ['"'],
    ],
    ["nodes[bogus(certname)]{}", 12, `nodes[bogus(certname)]{}\n${" ".repeat(11)}^`, String.raw`] #"\s+" ,`.split(" ")],
    [
      String.raw`inventory[certname, facts."weird.name"."quo\"te"]{ certname ~ "web" }`,
      69,
      `${String.raw`inventory[certname, facts."weird.name"."quo\"te"]{ certname ~ "web" }`}\n${" ".repeat(68)}^`,
      ["]", ","],
    ],
    [
      'nodes{ certname = "x" } extra',
      24,
      `nodes{ certname = "x" } extra\n${" ".repeat(23)}^`,
      [String.raw`#"\s+" (followed by end-of-string):end-of-string`],
    ],
  ];

/** Positions of reference/pql.md §4 and rules of its §2. */
const POSITIONS: readonly (readonly [pql: string, line: number, column: number])[] = [
  ["nodes{certname=a}", 1, 16],
  ["nodes{a=1 AND b=2}", 1, 11],
  ["nodes{noop = null}", 1, 14],
  ["nodes{not a=1}", 1, 11],
  ["nodes{a in []}", 1, 13],
  ["nodes{} # c", 1, 8],
  ['nodes{certname="a" and}', 1, 23],
  ["nodes{foo.bar = 1}", 1, 10],
  ['inventory{facts."a.b"=1}', 1, 17],
  ['inventory[facts."a.b"]{}', 1, 17],
  ["nodes{order by description}", 1, 16],
  ["nodes{order by ascending}", 1, 16],
  ["nodes{a = +5}", 1, 11],
  ["nodes{a = - 5}", 1, 12],
  ["nodes{a = 5e3}", 1, 12],
  ["nodes{a = .5}", 1, 11],
  ["nodes{a = 5.}", 1, 13],
  ["reports{foo?bar = 1}", 1, 13],
  ["nodes{a is  null}", 1, 9],
  ["facts{group  by name}", 1, 14],
  ["factsx{}", 1, 6],
  ["nodes{resources[title]{}}", 1, 16],
  ["nodes{\n  a = 1 AND\n  b = 2\n}", 2, 9],
  ["nodes{\n", 2, 1],
];

/** The sentence that ends the message. */
const ADVICE: readonly (readonly [pql: string, sentence: RegExp])[] = [
  ["nodes{a=1 AND b=2}", /lower case: write and\.$/],
  ["nodes{noop = null}", /write `is null`/],
  ["nodes{not a=1}", /write ! for not\.$/],
  ["nodes{a == 1}", /“==”: write a single =\.$/],
  ["nodes{a=1 & b=2}", /“&”: write and\.$/],
  ["nodes{a=1 || b=2}", /“\|\|”: write or\.$/],
  ["nodes{a <> 1}", /write !=\.$/],
  ["node{}", /did you mean nodes\?$/],
  ["fact-contents{}", /did you mean fact_contents\?$/],
  ["producers{}", /as JSON, \["from", "producers"\]\.$/],
  ["nodes", /write nodes\{…\}\.$/],
  ["nodes certname='a'", /write nodes\{…\}\.$/],
  ["nodes{certname='a'", /write \}\.$/],
  ["nodes{(certname='a'}", /write \)\.$/],
  ["nodes{certname='a}", /close it with '\.$/],
  ["nodes{certname=web}", /write "web"\.$/],
  ["nodes{a in ()}", /in square brackets/],
  ["nodes{a in []}", /cannot be empty/],
  ["nodes{a=1and b=2}", /white space before “and”/],
  ["nodes{a=1 limit5}", /white space after “limit”/],
  ["facts[median(value)]{}", /the functions are count, avg/],
  ["nodes{order by description}", /the order_by parameter can/],
  ["nodes{a.b = 1}", /^Only facts, trusted and parameters/],
  ["inventory{(facts.os.family)}", /The \) belongs to the field/],
  ['inventory{facts."a.b"=1}', /write a space/],
  ["nodes{} # all of them", /no comments/],
  ["", /The query is empty/],
];

function errorOf(pql: string): PqlSyntaxError {
  try {
    parsePql(pql);
  } catch (error) {
    if (error instanceof PqlSyntaxError) return error;
    throw error;
  }
  throw new Error(`parses: ${pql}`);
}

describe("PqlSyntaxError", () => {
  it.each(RECORDED)("is laid out as recorded for %s", (pql, column, excerpt, alternatives) => {
    const error = errorOf(pql);
    const head = `PQL parse error at line 1, column ${column}:\n\n${excerpt}\n\n`;
    const header = alternatives[0] === '"' ? "Expected:\n" : "Expected one of:\n\n";
    expect(error.message.slice(0, head.length + header.length)).toBe(head + header);
    const list = error.message.slice(head.length + header.length).split("\n\n")[0] ?? "";
    expect(list.split("\n").sort()).toEqual([...alternatives].sort());
  });

  it.each(POSITIONS)("points at the furthest position of %j", (pql, line, column) => {
    const { code, line: foundLine, column: foundColumn } = errorOf(pql);
    expect([code, foundLine, foundColumn]).toEqual(["bad-input", line, column]);
  });

  it.each(ADVICE)("says what to write instead of %s", (pql, sentence) => {
    expect(errorOf(pql).message.split("\n\n").at(-1)).toMatch(sentence);
  });

  it("says what was found and what was expected", () => {
    const { found, expected } = errorOf("nodes{a=1 AND b=2}");
    expect(found).toBe("AND");
    expect(expected).toContain("and");
    expect(errorOf("nodes").found).toBe("");
  });

  it("keeps tabs in front of the mark", () => {
    expect(errorOf("nodes{\n\ta\t= b}").message).toContain("\n\ta\t= b}\n\t \t  ^\n");
  });
});
