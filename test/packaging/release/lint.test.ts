import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ownTarget } from "#packaging/executable/targets.ts";
import { debianName, writeDebianPackage } from "#packaging/release/debian.ts";
import { releaseFiles } from "#packaging/release/files.ts";
import { rpmName, writeRpm } from "#packaging/release/rpm.ts";
import { workFolder } from "#test/cli/census.ts";
import { isLeftOut } from "#test/left-out.ts";
import { executable } from "#test/program.ts";

const settings = join(import.meta.dirname, "../../../packaging/rpm/rpmlint.toml");
const folder = workFolder();
const run = (program: string, ...words: readonly string[]) => spawnSync(program, words, { encoding: "utf8" });
const isLinted = (tool: string): boolean => {
  const reason = run(tool, "--version").status === 0 ? undefined : `apt-get install ${tool}`;
  return !isLeftOut(`packages with ${tool}`, reason, "CENSUS_WITHOUT_PACKAGERS");
};

// Everything but the program is that of a release: its size would take a minute.
describe.skipIf(ownTarget === undefined || executable !== undefined)("packages have no errors", () => {
  const debian = join(folder, (ownTarget && debianName(ownTarget)) ?? "none");
  const rpm = join(folder, (ownTarget && rpmName(ownTarget)) ?? "none");

  beforeAll(async () => {
    if (ownTarget === undefined) return;
    const program = join(folder, "program");
    copyFileSync("/bin/true", program);
    const files = await releaseFiles(ownTarget, program, ["node_modules/h3"]);
    const options = { seconds: 1_700_000_000, level: 0 };
    await writeDebianPackage(debian, ownTarget, files, options);
    writeRpm(rpm, ownTarget, files, options);
  });

  it.skipIf(!isLinted("lintian"))("in lintian", () => {
    const { status, stdout } = run("lintian", "--allow-root", "--fail-on", "error", debian);
    expect({ status, errors: stdout.match(/^E: .*$/gm) }).toEqual({ status: 0, errors: null });
  });

  it.skipIf(!isLinted("rpmlint"))("in rpmlint", () => {
    const { status, stdout } = run("rpmlint", "--config", settings, rpm);
    expect({ status, errors: stdout.match(/^.* E: .*$/gm) }).toEqual({ status: 0, errors: null });
  });
});
