import { describe, expect, it } from "vitest";
import { namesOf } from "#cli/names/names-of.ts";
import type { UsedName } from "#cli/names/used-name.ts";

const certname = (text: string): UsedName => ({ kind: "certname", text });
const fact = (text: string): UsedName => ({ kind: "fact", text });
const environment = (text: string): UsedName => ({ kind: "environment", text });
const resource = (type: string, title?: string): UsedName => ({ kind: "resource", type, title });
const packages: UsedName = { kind: "package", text: "*" };

describe("the names of a query", () => {
  it.each<[query: string, names: readonly UsedName[]]>([
    ['nodes { certname = "a" }', [certname("a")]],
    ['nodes[certname] { certname in ["a", "b"] }', [certname("a"), certname("b")]],
    ['nodes[count()] { facts_environment = "e" and report_environment = "f" }', [environment("e"), environment("f")]],
    ['facts { certname = "a" and (name = "os" or name = "kernel") }', [certname("a"), fact("os"), fact("kernel")]],
    ['fact_contents { path = ["os", "family"] }', [fact("os.family")]],
    ['inventory { facts.os.family ~ "D" and trusted.certname = "a" }', [fact("os.family"), fact("trusted.certname")]],
    ['["from", "nodes", ["=", ["fact", "kernel"], "Linux"]]', [fact("kernel")]],
    ['resources { type = "File" and title = "/a" }', [resource("File", "/a")]],
    ['resources { (type = "File" and certname = "a") and title = "/a" }', [certname("a"), resource("File", "/a")]],
    // The title may belong to another type.
    ['resources { type = "File" or title = "/a" }', [resource("File", "/a")]],
    ['events { resource_type = "File" and containing_class = "A" }', [resource("Class", "A"), resource("File")]],
    ['edges { source_type = "File" and target_type = "Class" }', [resource("File"), resource("Class")]],
    [
      'package_inventory { package_name = "p" and provider = "apt" }',
      [{ kind: "package", text: "p" }, { kind: "provider", text: "apt" }, packages],
    ],
    ["packages {}", [packages]],
    ['environments { name = "e" }', [environment("e")]],
    [
      'reports { producer = "p" and hash = "f00" }',
      [
        { kind: "producer", text: "p" },
        { kind: "hash", text: "f00" },
      ],
    ],
    ['nodes { resources { type = "Class" and title = "A" } }', [resource("Class", "A")]],
    ['nodes { certname in facts[certname] { name = "os" } }', [fact("os")]],
    [
      '["from", "nodes", ["in", "certname", ["extract", "certname", ["select_facts", ["=", "name", "os"]]]]]',
      [fact("os")],
    ],
    ['["from", "fact-contents", ["=", "name", "os"]]', [fact("os")]],
    // An unknown name that is left out leaves out nothing.
    ['nodes { !(certname = "a") and certname ~ "b" }', []],
    ['inventory { facts.a[0].b = 1 and facts."c.d" = 1 and facts.match("x") = 1 }', []],
    // Operators that compare with no name, alone and among others.
    ["nodes { deactivated is null }", []],
    ['nodes { deactivated is null and certname = "a" }', [certname("a")]],
    ['["from", "nodes", ["null?", "certname", true]]', []],
    ['fact_contents { path ~> ["os", ".*"] }', []],
    ["nodes { broken", []],
  ])("%s", (text, names) => {
    expect(namesOf({ text, isSql: false })).toStrictEqual(names);
  });

  it("include the words of a status", () => {
    expect(namesOf({ text: 'nodes { latest_report_status = "failure" }', isSql: false })).toMatchObject([
      { kind: "word", text: "failure", words: ["failed", "changed", "unchanged"] },
    ]);
  });
});

describe("the names of a statement in SQL", () => {
  it.each<[statement: string, names: readonly UsedName[]]>([
    ["SELECT * FROM nodes WHERE certname = 'a'", [certname("a")]],
    ["SELECT * FROM NODES n WHERE n.Certname IN ('a', 'it''s')", [certname("a"), certname("it's")]],
    [`SELECT * FROM "nodes" WHERE "certname"='a'`, [certname("a")]],
    ["SELECT * FROM facts JOIN nodes USING (certname) WHERE name = 'os' AND value = 'x'", [fact("os")]],
    ["SELECT * FROM environments WHERE name = 'e'", [environment("e")]],
    ["SELECT * FROM resources WHERE type = 'File' AND title = '/a'", [resource("File", "/a")]],
    ["SELECT * FROM resources WHERE type = 'File' OR type = 'Class'", []],
    ["SELECT 1 FROM packages", [packages]],
    // Neither comments nor texts are read, and other comparisons say nothing of a name.
    ["SELECT 'certname = ''a''' FROM nodes -- certname = 'b'\n/* certname = 'c' */ WHERE certname <> 'd'", []],
    ["SELECT * FROM nodes WHERE certname IN (SELECT certname FROM facts)", []],
    ["SELECT certname = ", []],
  ])("%s", (text, names) => {
    expect(namesOf({ text, isSql: true })).toStrictEqual(names);
  });
});
