import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { declarationsOf } from "#cli/unused/declarations.ts";
import { archiveDocuments, writePopulation } from "../archive-documents.ts";
import { census, SAMPLE, startServer, workFolder } from "../census.ts";

const folder = workFolder();
const code = join(folder, "production");
const file = (name: string, content: string): void => {
  mkdirSync(dirname(join(code, name)), { recursive: true });
  writeFileSync(join(code, name), content);
};

beforeAll(() => {
  file("modules/chrony/manifests/init.pp", "class chrony (\n  String $a = 'x',\n) inherits chrony::params {\n}\n");
  file("modules/chrony/manifests/params.pp", "class chrony::params { }\n");
  file("modules/chrony/spec/fixtures/x.pp", "class only::for::tests { }\n");
  file("modules/trust/manifests/certificate.pp", "\n\ndefine trust::certificate () { }\ndefine trust::never { }\n");
  file("modules/trust/files/class.txt", "class not::a::manifest { }\n");
  symlinkSync(join(code, "modules"), join(code, "modules/chrony/again"));
});

describe("the declarations of a manifest", () => {
  it.each<[what: string, manifest: string, names: string[]]>([
    ["a class and a defined type", "class a::b { }\ndefine c($x) { }", ["class a::b 1", "define c 2"]],
    ["one that inherits", "class a inherits b { }", ["class a 1"]],
    ["one with parameters on other lines", "class ::a\n(\n)\n{ }", ["class a 1"]],
    ["one with a comment before its parameters", "class a # the first\n(\n) { }", ["class a 1"]],
    ["no resource of the type class", "class { 'a': }\nclass { ['b', 'c']: }", []],
    ["nothing in comments", "# class a { }\n/* class b { }\n*/ class c { }", ["class c 3"]],
    [
      "nothing in texts",
      "$x = 'class a { } \\' class b { }'\n$y = \"class c { } \\\" class d { }\"\nclass e { }",
      ["class e 3"],
    ],
    [
      "nothing in expressions of texts",
      '$x = "${facts["class a { }"]} } ${if true { "class b { }" }}"\nclass c { }',
      ["class c 2"],
    ],
    [
      "nothing in a heredoc",
      '$x = @("END"/L)\n  class a { }\n  \'it\n  | END\nclass b { }\n$y = @(Z)\nclass c { } |\nZ\nclass d { }',
      ["class b 5", "class d 9"],
    ],
    [
      "nothing in a pattern, which may have quotes",
      "if $x =~ /'/ { }\nclass a { }\nnode /\"/ { }\nclass b { }",
      ["class a 2", "class b 4"],
    ],
    ["a division that is no pattern", "$x = $y / 2\n$z = 'a' \nclass a { }\n$u = $v / 3", ["class a 3"]],
    ["no other words", "subclass a { }\n$class = b\nclassify c { }\ncontain class\n", []],
    ["nothing in a text without an end", "class a { }\n$x = 'class b { }", ["class a 1"]],
  ])("%s", (_what, manifest, names) => {
    expect(declarationsOf(manifest).map(({ kind, name, line }) => `${kind} ${name} ${line}`)).toStrictEqual(names);
  });

  it.each(["class a ", "'", '"', '"${', "@(E)\n", "/*", "= /", "define x::", "@(", "\\", "(\n", "| E\n", " "])(
    "takes time in proportion to a manifest of %j",
    (part) => {
      expect(declarationsOf(part.repeat(1_000_000 / part.length))).toEqual([]);
    },
  );
});

describe("census unused", () => {
  it("lists classes that no catalog has, of an archive and of a server", async () => {
    const words = ["unused", code];
    const server = await startServer(["open", SAMPLE, "--port", "0"]);
    const [archive, remote] = await Promise.all([
      census([...words, "--archive", SAMPLE]),
      census([...words, "--url", server.url]),
    ]);
    await server.stop();
    expect(archive).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(archive.stdout)).toStrictEqual([
      { kind: "class", name: "chrony::params", declared: `${join(code, "modules/chrony/manifests/params.pp")}:1` },
      { kind: "define", name: "trust::never", declared: `${join(code, "modules/trust/manifests/certificate.pp")}:4` },
    ]);
    expect(JSON.parse(remote.stdout)).toStrictEqual(JSON.parse(archive.stdout));
    const table = await census([...words, "--archive", SAMPLE, "--output", "table"]);
    expect(table.stderr).toContain("2 of 4 classes and defined types are in no catalog");
  });

  it("lists exactly the classes that the catalogs of a generated archive lack", async () => {
    const path = join(folder, "generated.tgz");
    await writePopulation(path, { nodes: 8, seed: 3, reportsPerNode: 1, baseTime: "2026-11-20T12:00:00Z" });
    const { catalogs } = await archiveDocuments(path);
    const resources = catalogs.flatMap((catalog) => catalog.resources);
    const titles = new Set(resources.filter(({ type }) => type === "Class").map(({ title }) => title.toLowerCase()));
    const types = new Set(resources.map(({ type }) => type.toLowerCase()).filter((type) => type.includes("::")));
    const site = join(folder, "site.pp");
    const known = [
      ...[...titles].map((name) => `class ${name} { }`),
      ...[...types].map((name) => `define ${name}() { }`),
    ];
    const unknown = [...titles].map((name) => `class ${name}::unused { }\ndefine ${name}::never() { }`);
    writeFileSync(site, [...known, ...unknown].join("\n"));
    const { stdout } = await census(["unused", site, "--archive", path]);
    const names = (JSON.parse(stdout) as { kind: string; name: string }[]).map(({ kind, name }) => `${kind} ${name}`);
    expect(names).toStrictEqual([...titles].flatMap((name) => [`class ${name}::unused`, `define ${name}::never`]));
    expect(titles.size).toBeGreaterThan(10);
    expect(types.size).toBeGreaterThan(0);
  });

  it.each([
    ["a path that does not exist", () => join(folder, "nowhere"), "no such file"],
    ["a folder without manifests", () => join(code, "modules/trust/files"), "contains no manifests (*.pp)"],
  ])("refuses %s", async (_what, path, message) => {
    const { code: exit, stderr } = await census(["unused", path(), "--archive", SAMPLE]);
    expect(exit).toBe(1);
    expect(stderr).toContain(message);
  });
});
