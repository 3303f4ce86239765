import { describe, expect, it } from "vitest";
import { readIni } from "#app/settings/sources/ini.ts";

function read(...lines: readonly string[]): { values: unknown[]; problems: readonly string[] } {
  const { given, problems } = readIni(lines.join("\n"), "site.ini");
  const values = given.map(({ section, name, raw, place }) => [
    section,
    name,
    raw,
    place.kind === "file" ? place.line : undefined,
  ]);
  return { values, problems };
}

describe("an ini file", () => {
  it.each<[string, string[], unknown[]]>([
    ["name = value", ["[jetty]", "port = 8080"], ["jetty", "port", "8080", 2]],
    ["name: value", ["[jetty]", "port: 8080"], ["jetty", "port", "8080", 2]],
    [
      "the first separator ends the name",
      ["[database]", "subname = //db:5432/x=1"],
      ["database", "subname", "//db:5432/x=1", 2],
    ],
    ["an empty value", ["[database]", "facts-blocklist ="], ["database", "facts-blocklist", "", 2]],
    ["blanks around everything", ["  [ jetty ]  ", "  port  =  8080  "], ["jetty", "port", "8080", 2]],
    ["names in any case", ["[Jetty]", "PORT = 8080"], ["jetty", "port", "8080", 2]],
    ["comments and empty lines", ["# a", "; b", "", "[jetty]", "  # c", "port = 1"], ["jetty", "port", "1", 6]],
    ["a # behind a value is part of it", ["[jetty]", "port = 1 # one"], ["jetty", "port", "1 # one", 2]],
    ["quotes are part of a value", ["[jetty]", 'host = "a"'], ["jetty", "host", '"a"', 2]],
    [
      "a backslash continues the line",
      ["[database]", "facts-blocklist = a,\\", "  b"],
      ["database", "facts-blocklist", "a,b", 2],
    ],
    ["two do not", ["[global]", "vardir = C:\\\\", "# x"], ["global", "vardir", "C:\\", 2]],
    [
      "a backslash escapes",
      ["[database]", "facts-blocklist = \\\\d+\\t\\u0041\\."],
      ["database", "facts-blocklist", "\\d+\tA.", 2],
    ],
    ["an escaped separator is part of the name", ["[a]", "b\\:c = d"], ["a", "b:c", "d", 2]],
    ["line ends of Windows, and a byte order mark", ["\u{feff}[jetty]\r", "port = 1\r"], ["jetty", "port", "1", 2]],
    ["a line that continues into the end", ["[jetty]", "port = 1\\"], ["jetty", "port", "1", 2]],
  ])("%s", (_rule, lines, value) => {
    expect(read(...lines)).toStrictEqual({ values: [value], problems: [] });
  });

  it("is read except for invalid lines, which are named", () => {
    expect(
      read("host = a", "[jetty", "port = 1", "[]", "[jetty]", "port 1", "= 1", "host = ${x}", "port = 1"),
    ).toStrictEqual({
      values: [["jetty", "port", "1", 9]],
      problems: [
        "site.ini:1: host is in no section; add a line such as [jetty] above it",
        'site.ini:2: expected a section as [name], found "[jetty"',
        'site.ini:4: expected a section as [name], found "[]"',
        "site.ini:6: expected name = value",
        "site.ini:7: expected name = value, found no name",
        "site.ini:8: [jetty] host contains a substitution; write the value itself",
      ],
    });
  });
});
