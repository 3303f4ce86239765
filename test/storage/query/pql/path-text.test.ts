import { describe, expect, it } from "vitest";
import { dottedField, fieldList, readPath } from "#storage/query/pql/path-text.ts";
import { parsePql } from "#storage/query/pql/parse.ts";
import { pathText } from "#storage/diff/values.ts";

describe("a path as people type it", () => {
  it.each([
    ["os.family", ["os", "family"]],
    ["mountpoints./", ["mountpoints", "/"]],
    ["partitions./dev/sda1.size", ["partitions", "/dev/sda1", "size"]],
    ['mountpoints."/".size', ["mountpoints", "/", "size"]],
    ['trusted.extensions."1.3.6"', ["trusted", "extensions", "1.3.6"]],
    [String.raw`a."b\"c\\"`, ["a", 'b"c\\']],
    ['a"b.c', ['a"b', "c"]],
    ["", undefined],
    ["a.", undefined],
    [".a", undefined],
    ["a..b", undefined],
    ['a."".b', undefined],
  ])("%s", (text, path) => {
    expect(readPath(text)).toStrictEqual(path);
  });

  it.each([[["a", "/", "b.c"]], [["a b", 'c"d']], [["*", "x.y"]]])("reads what is written for people: %j", (path) => {
    expect(readPath(pathText(path))).toStrictEqual(path);
  });

  it.each([[["mountpoints", "/"]], [["a", "b.c", "d"]]])("is a field that PQL reads: %j", (path) => {
    const field = dottedField("facts", path);
    expect(JSON.stringify(parsePql(`inventory[${fieldList([field, "certname"])}] { ${field} is not null }`))).toContain(
      JSON.stringify(field),
    );
  });
});
