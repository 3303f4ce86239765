import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { facts, metadata } from "#test/cli/archives.ts";
import { workFolder } from "#test/cli/census.ts";
import { mountSmallDisk } from "#test/app/durability/small-disk.ts";
import { leaveOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { executable } from "#test/program.ts";
import { tgz } from "#test/storage/archive/build.ts";

if (executable === undefined) process.stderr.write("not packaged: the loader is not tested\n");

const isRoot = process.getuid?.() === 0;

/** A user without an entry in the list of users. */
const SOMEBODY = 54_321;

// Where every test is skipped nothing is removed afterwards.
const folder = executable === undefined ? "" : workFolder();
const archive = join(folder, "small.tgz");

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const query = ["query", "nodes[count()]{}", "--output", "csv"] as const;

/** Queries a small archive, for which the engine is needed, with no variables but these. */
async function queryArchive(env: NodeJS.ProcessEnv, uid?: number): Promise<Run> {
  return run([...query, "--archive", archive], env, uid);
}

/** Queries a fixture of the default population. */
async function queryFixture(env: NodeJS.ProcessEnv, uid?: number): Promise<Run> {
  return run(["fixture", "--", executable ?? "", ...query], env, uid);
}

async function run(words: readonly string[], env: NodeJS.ProcessEnv, uid?: number): Promise<Run> {
  const own = uid === undefined ? {} : { uid, gid: uid };
  // Opened archives are not kept: only the engine is to leave something behind.
  const child = spawn(executable ?? "", words, { cwd: "/", env: { CENSUS_CACHE_SIZE: "0", ...env }, ...own });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: code as number | null, stdout, stderr };
}

const answered: Run = { code: 0, stdout: "count\n1\n", stderr: "" };
const populated: Run = { code: 0, stdout: "count\n50\n", stderr: "" };

/** A folder of its own below that of the tests. */
let made = 0;
function place(mode = 0o700): string {
  const path = join(folder, `place-${++made}`);
  mkdirSync(path, { mode });
  chmodSync(path, mode);
  return path;
}

interface Unpacked {
  readonly folder: string;
  readonly files: readonly string[];
}

/** The library's files in a cache folder that holds it once. */
function libraryIn(base: string): Unpacked {
  return onlyOne(base, /^\d/);
}

/** The same for the files of the default population. */
function populationIn(base: string): Unpacked {
  return onlyOne(base, /^population-/);
}

function onlyOne(base: string, kind: RegExp): Unpacked {
  const [name = "", ...others] = readdirSync(base).filter((entry) => kind.test(entry));
  expect(others).toEqual([]);
  return { folder: join(base, name), files: readdirSync(join(base, name)) };
}

beforeAll(async () => {
  writeFileSync(archive, await tgz([metadata, facts("web-01.example.com", `{"kernel":"Linux"}`)]));
  // Others are to read the archive, and only that.
  chmodSync(folder, 0o711);
  chmodSync(archive, 0o644);
});

describe.skipIf(executable === undefined)("the engine's library in the packaged program", () => {
  it.each<[string, (base: string) => NodeJS.ProcessEnv, (base: string) => string]>([
    ["where the variable says", (base) => ({ CENSUS_NATIVE_DIR: base, HOME: "/dev/null" }), (base) => base],
    [
      "in the user's cache",
      (base) => ({ XDG_CACHE_HOME: base, HOME: "/dev/null" }),
      (base) => join(base, "census/engine"),
    ],
    ["in the home folder", (base) => ({ HOME: base }), (base) => join(base, ".cache/census/engine")],
    [
      "with the temporary files where the home folder cannot be written",
      (base) => ({ HOME: "/dev/null", TMPDIR: base }),
      (base) => join(base, `census-${process.getuid?.()}/engine`),
    ],
  ])("is unpacked %s, once", async (_where, env, found) => {
    const base = place();
    expect(await queryArchive(env(base))).toEqual(answered);
    const library = libraryIn(found(base));
    expect(library.files.toSorted()).toEqual([
      expect.stringMatching(/^duckdb\.node$/),
      expect.stringMatching(/duckdb/),
    ]);
    expect(statSync(library.folder).mode & 0o077).toBe(0);
    const { mtimeMs, ino } = statSync(library.folder);
    expect(await queryArchive(env(base))).toEqual(answered);
    expect(statSync(library.folder)).toMatchObject({ mtimeMs, ino });
  });

  it("is unpacked completely when many processes start at once", async () => {
    const base = place();
    const runs = await Promise.all(Array.from({ length: 6 }, () => queryArchive({ CENSUS_NATIVE_DIR: base })));
    expect(runs).toEqual(runs.map(() => answered));
    expect(libraryIn(base).files).toHaveLength(2);
  });

  it.each<[string, (path: string) => void]>([
    ["cut short", (path) => truncateSync(path, 1000)],
    ["overwritten", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ])("is unpacked anew when it was %s", async (_how, damage) => {
    const base = place();
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base })).toEqual(answered);
    for (const name of libraryIn(base).files) {
      const path = join(libraryIn(base).folder, name);
      chmodSync(path, 0o700);
      damage(path);
    }
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base })).toEqual(answered);
  });

  it("is removed when another version is unpacked a month later", async () => {
    const base = place();
    for (const [name, age] of [
      ["0.0.1-abc", 31],
      ["0.0.2-abc", 29],
    ] as const) {
      mkdirSync(join(base, name));
      const then = new Date(Date.now() - age * 86_400_000);
      utimesSync(join(base, name), then, then);
    }
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base })).toEqual(answered);
    expect(readdirSync(base)).toEqual(["0.0.2-abc", expect.stringMatching(/^\d/)]);
  });

  it.for<[string, RegExp, () => string | undefined]>([
    ["a file", /not a directory|EEXIST|ENOTDIR/, () => "/dev/null"],
    ["a folder that everybody may write", /can be written by others/, () => place(0o777)],
    [
      "a folder in one that everybody may write",
      /can be written by others/,
      () => {
        const path = join(place(0o777), "own");
        mkdirSync(path, { mode: 0o700 });
        return path;
      },
    ],
    [
      "a link",
      /is a link/,
      () => {
        const path = join(place(), "link");
        symlinkSync(place(), path);
        return path;
      },
    ],
    [
      "another user's folder",
      /belongs to another user/,
      () => {
        if (!isRoot) return undefined;
        const path = place();
        chownSync(path, SOMEBODY, SOMEBODY);
        return path;
      },
    ],
    [
      "a file system without programs",
      /failed to map|noexec|not permitted/,
      () => {
        const disk = mountSmallDisk(100, "noexec");
        if (disk === undefined) return undefined;
        onTestFinished(() => disk[Symbol.dispose]());
        return disk.path;
      },
    ],
  ])("is not taken from %s; the message names the variable", async ([what, reason, unusable], { skip }) => {
    const base = unusable();
    if (base === undefined) {
      leaveOut(`${what} as the place of the engine's library`, "only root can make it", RESTRICTED_MACHINE);
      return skip();
    }
    const { code, stdout, stderr } = await queryArchive({ CENSUS_NATIVE_DIR: base });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^census: the engine's library cannot be unpacked; set CENSUS_NATIVE_DIR to [^\n]+\n$/);
    expect(stderr).toContain(base);
    expect(stderr).toMatch(reason);
  });

  it.skipIf(!isRoot)("is unpacked by a user without an account, and used from where root has put it", async () => {
    const base = place(0o755);
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base })).toEqual(answered);
    const library = libraryIn(base);
    execFileSync("chmod", ["-R", "a+rX", library.folder]);
    const before = statSync(library.folder).ino;
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base }, SOMEBODY)).toEqual(answered);
    expect(statSync(library.folder).ino).toBe(before);

    const temporary = place(0o1777);
    expect(await queryArchive({ TMPDIR: temporary }, SOMEBODY)).toEqual(answered);
    expect(readdirSync(temporary)).toEqual([`census-${SOMEBODY}`]);
  });

  it("is not needed for --version, even if no directory is writable", () => {
    const env = { CENSUS_NATIVE_DIR: "/dev/null" };
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(execFileSync(executable ?? "", ["--version"], { env, encoding: "utf8" })).toBe(`${version}\n`);
    expect(execFileSync(executable ?? "", ["serve", "--help"], { env, encoding: "utf8" })).toContain("--data");
  });
});

describe.skipIf(executable === undefined)("the default population in the packaged program", () => {
  it("is unpacked beside the engine's library, once", async () => {
    const base = place();
    expect(await queryFixture({ CENSUS_NATIVE_DIR: base })).toEqual(populated);
    const population = populationIn(base);
    expect(population.files).toContain("nodes.parquet");
    const { mtimeMs, ino } = statSync(population.folder);
    expect(await queryFixture({ CENSUS_NATIVE_DIR: base })).toEqual(populated);
    expect(statSync(population.folder)).toMatchObject({ mtimeMs, ino });
    expect(libraryIn(base).files).toHaveLength(2);
  });

  it.each<[string, (path: string) => void]>([
    ["cut short", (path) => truncateSync(path, 100)],
    ["overwritten", (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ])("is unpacked anew when it was %s", async (_how, damage) => {
    const base = place();
    expect(await queryFixture({ CENSUS_NATIVE_DIR: base })).toEqual(populated);
    const path = join(populationIn(base).folder, "nodes.parquet");
    chmodSync(path, 0o700);
    damage(path);
    expect(await queryFixture({ CENSUS_NATIVE_DIR: base })).toEqual(populated);
    expect(populationIn(base).files.length).toBeGreaterThan(1);
  });

  it.skipIf(!isRoot)("is generated if no directory is writable", async () => {
    const base = place(0o755);
    expect(await queryArchive({ CENSUS_NATIVE_DIR: base })).toEqual(answered);
    execFileSync("chmod", ["-R", "a+rX", libraryIn(base).folder]);
    expect(await queryFixture({ CENSUS_NATIVE_DIR: base }, SOMEBODY)).toEqual(populated);
    expect(readdirSync(base)).toHaveLength(1);
  });
});
