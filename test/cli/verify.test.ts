import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verificationText } from "#cli/verify/verification-text.ts";
import { RESTORE } from "#storage/verify/finding.ts";
import { startProcess } from "#test/app/durability/service-process.ts";
import { damageBlock } from "#test/storage/durability/damaged.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { census, SAMPLE } from "./census.ts";

describe("census verify", () => {
  it("reports what was read and what is damaged as text, JSON and exit code, and a directory in use", async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, "data");
    expect((await census(["import", SAMPLE, "--data", data])).code).toBe(0);
    const sound = await census(["verify", "--data", data, "--output", "table"]);
    expect(sound).toMatchObject({ code: 0, stderr: "" });
    expect(sound.stdout).toMatch(/^\S+data: no damage found\nRead \d{3,} rows of \d+ tables, 0 commands/);

    const service = startProcess(data, "2026-11-21T00:00:00Z");
    try {
      await service.ready;
      expect(await census(["verify", "--data", data])).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/is in use by another process \(.*\): stop the service first/),
      });
    } finally {
      await service.stop();
    }

    await damageBlock(join(data, "census.duckdb"), "nodes", "certname");
    const damaged = await census(["verify", "--data", data, "--output", "json"]);
    expect(damaged.code).toBe(1);
    const { findings } = JSON.parse(damaged.stdout) as { findings: unknown[] };
    expect(findings).toContainEqual({
      severity: "damaged",
      place: expect.stringMatching(/^census\.duckdb: table nodes, column certname, rows 0 to \d+$/),
      problem: expect.stringMatching(/computed checksum/),
      remedy: expect.stringMatching(/restore a backup/),
    });
    expect(existsSync(join(data, "census.duckdb.wal"))).toBe(false);
  });

  it("prints what docs/recovery.md shows", () => {
    const text = verificationText({
      directory: "/var/lib/census",
      findings: [
        {
          severity: "damaged",
          place: "census.duckdb: table reports, column logs, rows 122880 to 124927",
          problem:
            "IO Error: Corrupt database file: computed checksum … does not match stored checksum … in block at location 2633728",
          remedy: RESTORE,
        },
      ],
      read: { rows: 1_203_441, tables: 21, commands: 0, postponed: 0, deadLetters: 2 },
    });
    expect(readFileSync("docs/recovery.md", "utf8")).toContain(`\`\`\`\n${text}\`\`\``);
  });
});
