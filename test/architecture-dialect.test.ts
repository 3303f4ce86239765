import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { literalsIn } from "./literals.ts";

const root = join(import.meta.dirname, "..");

const functions = [
  "to_json|from_json|json_\\w+|row_to_json|struct_\\w+",
  "strftime|strptime|epoch\\w*|make_\\w+|date_\\w+|to_timestamp",
  "regexp_\\w+|starts_with|ends_with|contains|strlen|translate|rtrim|ltrim|md5|printf|format",
  "list|list_\\w+|array_\\w+|len|unnest|generate_series|range",
  "any_value|first|arg_min|arg_max|max_by|min_by|bool_or|bool_and|string_agg|histogram",
  "census_\\w+|get_bit|bit_\\w+|hash|error|if|ifnull|greatest|least|try",
].join("|");

/** What only DuckDB reads, or other engines read differently. */
const onlyDuckDb: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\w.])(?:${functions})\(`),
  /::/,
  /->/,
  /\bTRY_CAST\b/,
  /\b(?:VARCHAR|BIGINT|U?HUGEINT|DOUBLE|DECIMAL|STRUCT)\b/,
  /\bMATERIALIZED\b/,
  /\b(?:EXCLUDE|REPLACE) ?\(/,
  /\b(?:BY NAME|GROUP BY ALL|ORDER BY ALL)\b/,
  /\bFILTER \((?!WHERE\b)/,
  /\((?:FROM)\b/,
  /\b(?:SEMI|ANTI|ASOF|POSITIONAL) JOIN\b/,
  /\b(?:QUALIFY|SAMPLE|PIVOT|UNPIVOT)\b/,
  /\blambda\b/,
  /\browid\b/,
  / \/\/ /,
  />>/,
];

/** The pieces of SQL that no dialect has written, by file. */
function foundIn(text: string): string[] {
  return literalsIn(text).filter((literal) => onlyDuckDb.some((pattern) => pattern.test(literal)));
}

describe("SQL that only one engine reads", () => {
  it("is recognised in strings and templates, but not elsewhere", () => {
    const text = [
      "// `to_json(x)`",
      "/* rowid */",
      "const one = `SELECT ${list(`any_value(${x})`)} AS a`; // lambda",
      "const two = 'x::VARCHAR'.replace(/rowid'/, `b`);",
      'const three = "FROM g, hash(a)";',
      "const four = { five: `t.rowid` };",
    ].join("\n");
    expect(foundIn(text)).toStrictEqual(["any_value(", "x::VARCHAR", "FROM g, hash(a)", "t.rowid"]);
  });

  it("is written by the dialect alone", () => {
    const found = globSync("storage/query/**/*.ts", { cwd: root })
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => !path.startsWith("storage/query/dialect/"))
      .flatMap((path) => foundIn(readFileSync(join(root, path), "utf8")).map((sql) => ({ path, sql })));
    expect(found).toStrictEqual([]);
  });
});
