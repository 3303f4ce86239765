import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { census, workFolder } from "./census.ts";

const folder = workFolder();

function configuration(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const sound = configuration("sound", {
  "database.ini": "[database]\npassword = hush-hush\nnode-ttl = 30d\n",
  "jetty.ini": "[jetty]\nport = 9000\n",
});
const wrong = configuration("wrong", { "jetty.ini": "[jetty]\nport = http\nprot = 1\n" });

interface Row {
  readonly section: string;
  readonly setting: string;
  readonly value: string | null;
  readonly from: string;
  readonly note: string;
}

describe("census config", () => {
  it("shows effective settings with their sources, and ignored ones without their values", async () => {
    const { code, stdout, stderr } = await census(
      ["config", "--config", sound, "--data", "/data", "--no-gzip-enable"],
      {
        env: { CENSUS_LOG_FORMAT: "json" },
      },
    );
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: "" });
    const rows = JSON.parse(stdout) as Row[];
    const shown = rows.filter(({ from }) => from !== "default").map((row) => Object.values(row));
    expect(shown).toStrictEqual([
      ["global", "vardir", "/data", "--data", ""],
      ["jetty", "port", "9000", join(sound, "jetty.ini:2"), ""],
      ["jetty", "gzip-enable", "false", "--gzip-enable", ""],
      ["database", "node-ttl", "30d", join(sound, "database.ini:3"), ""],
      ["census", "log-format", "json", "CENSUS_LOG_FORMAT", ""],
      [
        "database",
        "password",
        null,
        join(sound, "database.ini:2"),
        "ignored: Census has an embedded database and needs no connection",
      ],
    ]);
    expect(rows).toContainEqual({
      section: "database",
      setting: "report-ttl",
      value: "14d",
      from: "default",
      note: "",
    });
    expect(stdout).not.toContain("hush-hush");
  });

  it("prints a table on request", async () => {
    const { code, stdout } = await census(["config", "--output", "table"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ database +│ node-ttl +│ 7d +│ default +│/);
  });

  it.each([[["--check"]], [[]]])("with %j prints each problem on a line and exits with 2", async (words) => {
    const file = join(wrong, "jetty.ini");
    expect(await census(["config", "--config", wrong, ...words])).toStrictEqual({
      code: 2,
      stdout: "",
      stderr:
        `census: ${file}:3: [jetty] prot: unknown setting; did you mean port?\n` +
        `census: ${file}:2: [jetty] port must be a number from 0 to 65535, not "http"\n`,
    });
  });

  it("names a configuration that does not exist", async () => {
    const path = join(folder, "missing");
    expect(await census(["config", "--config", path])).toStrictEqual({
      code: 1,
      stdout: "",
      stderr: `census: ${path}: cannot read the configuration: does not exist\n`,
    });
  });
});
