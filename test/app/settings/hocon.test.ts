import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readHocon } from "#app/settings/sources/hocon.ts";

function read(text: string): unknown[] {
  const { given, problems } = readHocon(text, "site.conf", { HOST: "db", PORT: "8443" });
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
    ["variables", "a.b = ${PORT}", [["a", "b", "8443", 1]]],
    [
      "texts and variables that follow each other",
      'a.b = "//"${HOST}":"${PORT}"/"${?NONE}',
      [["a", "b", "//db:8443/", 1]],
    ],
    ["spaces between them", "a.b = ${HOST} ${PORT} x", [["a", "b", "db 8443 x", 1]]],
    [
      "other names before variables",
      "HOST = here\na.b = ${HOST}",
      [
        ["HOST", "", "here", 1],
        ["a", "b", "here", 2],
      ],
    ],
    [
      "the last value of a name that is defined later",
      "a.b = ${a.c}\na.c = 1\na.c = 2",
      [
        ["a", "b", "2", 1],
        ["a", "c", "2", 3],
      ],
    ],
    ["optional variables that are missing", "a.b = 1\na.b = ${?NONE}\na.c = ${?NONE}", [["a", "b", "1", 1]]],
    ["variables in a list", "a.b = [x, ${HOST}, ${?NONE}]", [["a", "b", ["x", "db"], 1]]],
    [
      "+=",
      "a.b = [x]\na.b += ${HOST}\na.c += y",
      [
        ["a", "b", ["x", "db"], 2],
        ["a", "c", ["y"], 3],
      ],
    ],
    [
      "a value that has its own earlier one in it",
      "a.b = [x]\na.b = ${a.b} [y]\na.b = ${?a.b}[z]",
      [["a", "b", ["x", "y", "z"], 3]],
    ],
    [
      "copies of objects",
      "base { x = 1, y = 2 }\na = ${base} { y = 3 }",
      [
        ["base", "x", "1", 1],
        ["base", "y", "2", 1],
        ["a", "x", "1", 2],
        ["a", "y", "3", 2],
      ],
    ],
    [
      "settings called include",
      "a.include = 1\nincluded.b = 2",
      [
        ["a", "include", "1", 1],
        ["included", "b", "2", 2],
      ],
    ],
    ["quotes that hold ${", 'a.b = "${HOST}"', [["a", "b", "${HOST}", 1]]],
    ["files that need not be there", 'include "missing.conf"\na.b = 1', [["a", "b", "1", 2]]],
  ])("%s", (_rule, text, values) => {
    expect(read(text)).toStrictEqual(values);
  });

  it.each<[string, string]>([
    ["jetty {\n port = 1\n", "3: missing } at the end"],
    ["a.b = [1\n", "2: missing ] at the end"],
    ['a {\n b = "x\n}', "2: missing closing quote"],
    ['a.b = "\\q"', '1: invalid string "\\q": only the escapes of JSON are allowed'],
    ["a { b }", "1: expected = or : after b"],
    ["a { b = }", '1: expected a value, found "}"'],
    ["a { b = 1", "1: missing } at the end"],
    ["a.b =", "1: expected a value, found the end of the file"],
    ["\n}", '2: expected a name, found "}"'],
    ["[census]\nport = 1", '1: expected a name, found "["; the name of a file with [sections] must end in .ini'],
    ["{ a.b = 1 } }", "1: unexpected text after the closing }"],
    ["a.b = x ]]", '1: expected a name, found "]"'],
    ['include classpath("other.conf")', "1: include classpath(…) is not supported; use a file"],
    ['include required("missing.conf")', `1: cannot include ${process.cwd()}/missing.conf: does not exist`],
    ["a.b = ${X", "1: expected } after X, found the end of the file"],
  ])("is rejected with the line of the error: %j", (text, problem) => {
    expect(readHocon(text, "site.conf")).toStrictEqual({ given: [], problems: [`site.conf:${problem}`] });
  });
});

describe("a file of HOCON that needs others", () => {
  const folder = mkdtempSync(join(tmpdir(), "census-hocon-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const [main, shared] = [join(folder, "main.conf"), file("shared.conf", "port = ${PORT}\nhost = localhost\n")];

  it.each([
    'include "shared.conf"',
    'include "shared"',
    'include file("shared.conf")',
    'include required(file("shared.conf"))',
  ])("%s has its values and their places", (include) => {
    const { given, problems } = readHocon(`jetty {\n ${include}\n host = "::1" }`, main, { PORT: "8443" });
    expect(problems).toStrictEqual([]);
    expect(given).toStrictEqual([
      { section: "jetty", name: "port", raw: "8443", place: { kind: "file", path: shared, line: 1 } },
      { section: "jetty", name: "host", raw: "::1", place: { kind: "file", path: main, line: 3 } },
    ]);
  });

  it("names the place of an error in one, and a circle", () => {
    const bad = file("bad.conf", "a {\n b = }");
    const circle = file("circle.conf", 'include "circle.conf"');
    expect(readHocon('include "bad.conf"', main, {}).problems).toStrictEqual([`${bad}:2: expected a value, found "}"`]);
    expect(readHocon('include "circle.conf"', main, {}).problems).toStrictEqual([
      `${circle}:1: ${circle} includes itself`,
    ]);
  });

  it.each([
    ["a.b = ${NONE}", "${NONE} is set neither in the file nor as a variable of the environment"],
    ["a.b = ${a.c}\na.c = ${a.b}", "${a.b} refers to itself"],
    ["a.b = [x] y", "joins a list and a text"],
  ])("has a problem instead of a value: %j", (text, problem) => {
    const { given, problems } = readHocon(text, main, {});
    expect(problems).toStrictEqual([]);
    expect(given[0]).toMatchObject({ section: "a", name: "b", raw: undefined, problem });
  });
});
