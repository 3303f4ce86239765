import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Open } from "unzipper";
import { beforeAll, describe, expect, it } from "vitest";
import { ownTarget, type Target, targets } from "#packaging/executable/targets.ts";
import { archiveName, writeArchive } from "#packaging/release/archive.ts";
import { debianName, writeDebianPackage } from "#packaging/release/debian.ts";
import { type ReleaseFiles, releaseFiles, type ReleaseOptions } from "#packaging/release/files.ts";
import { rpmName, writeRpm } from "#packaging/release/rpm.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { isLeftOut } from "#test/left-out.ts";

type Write = (path: string, target: Target, files: ReleaseFiles, options: ReleaseOptions) => unknown;

const isThere = (tool: string): boolean => {
  const reason = spawnSync(tool, ["--version"]).status === 0 ? undefined : `no ${tool}`;
  return !isLeftOut(`what ${tool} makes of a release`, reason, "CENSUS_WITHOUT_PACKAGERS");
};

/** What is delivered, and the tool that it takes. */
const delivered: readonly (readonly [name: string | undefined, target: Target, write: Write, tool: string])[] =
  targets.flatMap((target) => [
    [archiveName(target), target, writeArchive, target.name.startsWith("win32") ? "true" : "xz"] as const,
    [debianName(target), target, writeDebianPackage, "dpkg-deb"] as const,
    [rpmName(target), target, writeRpm, "rpm"] as const,
  ]);

/** The files of two builds, with a small program: a large one takes minutes to compress, and has a test of its own. */
const builds: ReleaseFiles[] = [];
beforeAll(async () => {
  if (ownTarget === undefined) return;
  await using folder = await temporaryFolder();
  for (const round of ["first", "second"]) builds.push(await filesIn(join(folder.path, round)));
});

async function filesIn(folder: string): Promise<ReleaseFiles> {
  mkdirSync(folder);
  const program = join(folder, "program");
  writeFileSync(program, "a program");
  if (ownTarget === undefined) throw new Error("no executable is made for this platform");
  return releaseFiles(ownTarget, program, ["node_modules/h3", "node_modules/citty"]);
}

describe.skipIf(ownTarget === undefined)("released files are reproducible", () => {
  it.each(
    delivered.flatMap(([name, ...rest]) => (name === undefined || !isThere(rest[2]) ? [] : [[name, ...rest] as const])),
  )("%s", async (name, target, write) => {
    await using folder = await temporaryFolder();
    const made = [];
    for (const [round, files] of builds.entries()) {
      const place = join(folder.path, String(round));
      mkdirSync(place);
      const path = join(place, name);
      await write(path, target, files, { seconds: 1_700_000_000, level: 0 });
      made.push(readFileSync(path).toString("base64"));
    }
    expect(made).toHaveLength(2);
    expect(made[0]?.length).toBeGreaterThan(1000);
    expect(made[1]).toBe(made[0]);
  });
});

describe.skipIf(ownTarget === undefined)("a release contains every page of docs/", () => {
  /** One of each kind. */
  const kinds = delivered.filter(([name], index) => {
    return name !== undefined && delivered.findIndex(([other]) => extname(other ?? "") === extname(name)) === index;
  });
  it.each(
    kinds.flatMap(([name, ...rest]) => (name === undefined || !isThere(rest[2]) ? [] : [[name, ...rest] as const])),
  )("in %s", async (name, target, write) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, name);
    const [files] = builds;
    if (files === undefined) throw new Error("nothing was built");
    await write(path, target, files, { seconds: 1, level: 0 });
    const members = await membersOf(path);
    const missing = globSync("**/*.md", { cwd: join(import.meta.dirname, "../../../docs") }).filter(
      (page) => !members.some((member) => member.endsWith(`/${page}`)),
    );
    expect(missing).toStrictEqual([]);
  });
});

async function membersOf(path: string): Promise<string[]> {
  if (path.endsWith(".zip")) return (await Open.file(path)).files.map((file) => file.path);
  const listers = { ".deb": ["dpkg-deb", "--contents"], ".rpm": ["rpm", "-qpl"], ".xz": ["tar", "-tJf"] };
  const [tool = "", ...words] = listers[extname(path) as keyof typeof listers];
  return spawnSync(tool, [...words, path], { encoding: "utf8" }).stdout.split("\n");
}
