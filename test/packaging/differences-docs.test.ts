import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { declared, sections } from "#app/settings/table.ts";
import { commandList } from "#cli/commands.ts";
import { DEVIATIONS } from "#test/conformance/deliberate.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = (name: string): string => readFileSync(join(root, "docs", name), "utf8");
const differences = page("differences.md");
const moving = page("moving-from-puppetdb.md");

/** Cells of the table's rows; headings of its parts have nothing but a name. */
const rows = differences
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| where "))
  .map((line) => line.slice(2, -2).split(" | "));

describe("docs/differences.md", () => {
  it("names a test, or a deviation, for every difference", () => {
    const entries = rows.filter(([where = ""]) => !where.startsWith("**"));
    expect(entries.length).toBeGreaterThan(DEVIATIONS.length);
    for (const cells of entries) {
      expect([cells[0], cells.length]).toEqual([cells[0], 5]);
      expect([cells[0], cells.at(-1)]).toEqual([cells[0], expect.stringMatching(/^(?:"[^"]+"|test\/\S+\.test\.ts)$/)]);
    }
  });

  it("has all deviations of the recordings by name, and no others", () => {
    const named = new Set(rows.flatMap((cells) => /^"(.+)"$/.exec(cells.at(-1) ?? "")?.[1] ?? []));
    expect([...named].sort()).toEqual(DEVIATIONS.map(({ name }) => name).sort());
  });

  it("names existing tests", () => {
    const tests = rows.flatMap((cells) => /^test\/\S+$/.exec(cells.at(-1) ?? "")?.[0] ?? []);
    expect(tests.filter((test) => !existsSync(join(root, test)))).toEqual([]);
  });
});

describe("docs/moving-from-puppetdb.md", () => {
  it("links to existing pages", () => {
    const links = [...moving.matchAll(/\]\(([\w./-]+)\)/g)].map(([, link = ""]) => link);
    expect(links).toContain("differences.md");
    expect(links.filter((link) => !existsSync(join(root, "docs", link)))).toEqual([]);
  });

  it("names existing commands and settings", () => {
    const commands = [...moving.matchAll(/(?:\$ (?:sudo -u \w+ )?|`|bin\/)census ([\w-]+)/g)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => !commandList.names.includes(name ?? ""))).toEqual([]);
    const settings = new Set([
      ...declared.map(({ name }) => name),
      ...Object.values(sections).flatMap(({ ignored }) => Object.keys(ignored)),
    ]);
    const spoken = [...moving.matchAll(/`([a-z]+(?:-[a-z]+)+)(?: = \w+)?`/g)].map(([, name = ""]) => name);
    const tools = ["census-status", "puppetdb-status"];
    expect(spoken.length).toBeGreaterThan(10);
    expect(spoken.filter((name) => !settings.has(name) && !tools.includes(name))).toEqual([
      // A section, and an older name of a replica.
      "read-database",
    ]);
  });
});
