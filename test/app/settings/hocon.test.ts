import { describe, expect, it } from "vitest";
import { readHocon } from "#app/settings/sources/hocon.ts";

function read(text: string): unknown[] {
  const { given, problems } = readHocon(text, "site.conf");
  expect(problems).toStrictEqual([]);
  return given.map(({ section, name, raw, place }) => [
    section,
    name,
    raw,
    place.kind === "file" ? place.line : undefined,
  ]);
}

describe("a file of HOCON", () => {
  it.each<[string, string, unknown[]]>([
    ["objects", "jetty: {\n  port: 8080\n}", [["jetty", "port", "8080", 2]]],
    ["objects without a separator", "jetty {\n port = 1 }", [["jetty", "port", "1", 2]]],
    ["dotted names", "jetty.port = 1", [["jetty", "port", "1", 1]]],
    ["nested names", 'metrics { a { "b.c": true, d: null } }', [["metrics", "a.b.c", "true", 1]]],
    [
      "JSON",
      '{"jetty": {"port": 1, "host": "::1"}}',
      [
        ["jetty", "port", "1", 1],
        ["jetty", "host", "::1", 1],
      ],
    ],
    ["bare texts with blanks and slashes", "a { b = /etc/x y z # comment\n}", [["a", "b", "/etc/x y z", 1]]],
    ["comments", "// one\n# two\na.b = 1 // three", [["a", "b", "1", 3]]],
    ["escapes in quotes", String.raw`a.b = "x\ty\u0041\\"`, [["a", "b", "x\tyA\\", 1]]],
    ["three quotes", 'a.b = """x\n"y" \\d"""', [["a", "b", 'x\n"y" \\d', 1]]],
    ["lists", 'a.b = [x, "y z"\n z]', [["a", "b", ["x", "y z", "z"], 1]]],
    ["empty lists", "a.b = []", [["a", "b", [], 1]]],
    ["lists of objects, which no setting is made of", "a.b = [{x: 1}]", [["a", "b", undefined, 1]]],
    ["the last of two", "a.b = 1\na.b = 2", [["a", "b", "2", 2]]],
    ["null takes back", "a.b = 1\na.b = null", []],
    ['"null" is a text', 'a.b = "null"', [["a", "b", "null", 1]]],
    ["values on the next line", "a.b =\n  1", [["a", "b", "1", 1]]],
    ["nothing at all", "# nothing\n", []],
  ])("%s", (_rule, text, values) => {
    expect(read(text)).toStrictEqual(values);
  });

  it.each<[string, string]>([
    ["jetty {\n port = 1\n", "3: missing } at the end"],
    ["a.b = [1\n", "2: missing ] at the end"],
    ['a {\n b = "x\n}', "2: missing closing quote"],
    ['a.b = "\\q"', '1: invalid string "\\q": only the escapes of JSON are allowed'],
    ["a { b }", "1: expected = or : after b"],
    ["a.b += 1", "1: expected = or : after a.b"],
    ["a { b = }", '1: expected a value, found "}"'],
    ["a { b = 1", "1: missing } at the end"],
    ["a.b =", "1: expected a value, found the end of the file"],
    ["\n}", '2: expected a name, found "}"'],
    ["[census]\nport = 1", '1: expected a name, found "["; the name of a file with [sections] must end in .ini'],
    ["{ a.b = 1 } }", "1: unexpected text after the closing }"],
    ["a.b = x {", '1: expected the end of the value, found "{"'],
    ['include "other.conf"', "1: include is not supported"],
    ["a {\n b = ${HOME}/x }", "2: substitutions are not supported; write the value itself"],
  ])("is rejected with the line of the error: %j", (text, problem) => {
    expect(readHocon(text, "site.conf")).toStrictEqual({ given: [], problems: [`site.conf:${problem}`] });
  });
});
