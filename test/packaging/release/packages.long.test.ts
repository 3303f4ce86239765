import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE } from "#test/cli/census.ts";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { executable } from "#test/program.ts";
import { ownTarget } from "#packaging/executable/targets.ts";
import { releaseFiles } from "#packaging/release/files.ts";
import { debianPath, rpmPath } from "#packaging/release/release.ts";
import { writeRpm } from "#packaging/release/rpm.ts";

const file = ownTarget === undefined ? undefined : debianPath(ownTarget);

function run(program: string, ...words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, words, { encoding: "utf8", env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }, cwd: "/" });
}

/** What keeps it from being tried; undefined: nothing. */
function obstacle(): string | undefined {
  if (executable === undefined || file === undefined || !existsSync(file)) return "the package is not made";
  if (process.getuid?.() !== 0 || run("dpkg", "--version").status !== 0)
    return "only root can, and where there is dpkg";
  // What is in use here is not ours to remove.
  if (run("getent", "passwd", "census").status === 0) return "there is a user of this name";
  return existsSync("/etc/census") || existsSync("/var/lib/census") ? "Census is in use here" : undefined;
}

const reason = obstacle();
if (reason !== undefined) process.stderr.write(`the Debian package is not installed: ${reason}\n`);

/** Whether the program, what was configured and what was stored are there. */
function there(): boolean[] {
  const paths = ["/usr/bin/census", "/etc/census/conf.d/jetty.ini", "/var/lib/census/census.duckdb"];
  return paths.map((path) => existsSync(path));
}

/** As the service's user, whom dpkg has made. */
const asService = (...words: readonly string[]): readonly string[] => [
  "--reuid=census",
  "--regid=census",
  "--clear-groups",
  "env",
  "-i",
  "HOME=/var/lib/census",
  "/usr/bin/census",
  ...words,
];

describe.skipIf(reason !== undefined)("the Debian package", () => {
  afterAll(() => run("dpkg", "--purge", "census"));

  it("installs the program, its user, unit, directories and configuration", async () => {
    expect(run("dpkg", "--install", file ?? "")).toMatchObject({ status: 0 });
    expect(run("dpkg", "--verify", "census")).toMatchObject({ status: 0, stdout: "" });
    expect(
      run("/usr/bin/census", "config", "--check", "--config", "/etc/census/conf.d", "--as-user", "census"),
    ).toMatchObject({ status: 0 });
    const user = run("getent", "passwd", "census").stdout.split(":");
    expect(user.slice(5)).toEqual(["/var/lib/census", "/usr/sbin/nologin\n"]);
    const folders = [
      ["/var/lib/census", "700"],
      ["/var/log/census", "750"],
    ] as const;
    for (const [folder, expected] of folders) {
      const { uid, mode } = statSync(folder);
      expect([folder, uid, (mode & 0o777).toString(8)]).toEqual([folder, Number(user[2]), expected]);
    }
    for (const path of ["/usr/lib/systemd/system/census.service", "/usr/share/doc/census/copyright"]) {
      expect(existsSync(path)).toBe(true);
    }
    const configuration = run("dpkg-query", "--show", "--showformat=${Conffiles}", "census").stdout;
    expect(configuration).toContain("/etc/census/conf.d/jetty.ini");
  });

  it("runs as the service does", async () => {
    expect(run("setpriv", ...asService("import", SAMPLE, "--data", "/var/lib/census"))).toMatchObject({ status: 0 });
    const words = asService("serve", "--config", "/etc/census/conf.d", "--port", "0");
    const server = spawn("setpriv", words, { cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(server, "close");
    let url: string | undefined;
    for await (const line of createInterface({ input: server.stdout })) {
      url = /^Census is ready on (\S+)/.exec(line)?.[1];
      if (url !== undefined) break;
    }
    const response = await fetch(`${url}/pdb/query/v4/nodes`);
    expect(((await response.json()) as unknown[]).length).toBe(40);
    server.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });

  it("keeps changes of the configuration when it is reinstalled", () => {
    appendFileSync("/etc/census/conf.d/jetty.ini", "\n# ours\n");
    expect(run("dpkg", "--install", "--force-confold", file ?? "")).toMatchObject({ status: 0 });
    expect(readFileSync("/etc/census/conf.d/jetty.ini", "utf8")).toMatch(/# ours\n$/);
  });

  it("is purged while a process of its user runs, whose user stays", async () => {
    const process = spawn("setpriv", ["--reuid=census", "--regid=census", "--clear-groups", "sleep", "60"]);
    await once(process, "spawn");
    const purged = run("dpkg", "--purge", "census");
    expect(purged).toMatchObject({ status: 0, stderr: expect.stringContaining("in use, so it stays") });
    expect(there()).toEqual([false, false, false]);
    process.kill();
    await once(process, "close");
    expect(run("getent", "passwd", "census").status).toBe(0);
    expect(run("dpkg", "--install", file ?? "")).toMatchObject({ status: 0 });
    expect(run("setpriv", ...asService("import", SAMPLE, "--data", "/var/lib/census"))).toMatchObject({ status: 0 });
  });

  it("keeps configuration and data when it is removed, and nothing when it is purged", () => {
    expect(run("dpkg", "--remove", "census")).toMatchObject({ status: 0 });
    expect(there()).toEqual([false, true, true]);
    expect(run("dpkg", "--purge", "census")).toMatchObject({ status: 0 });
    expect(there()).toEqual([false, false, false]);
    expect(run("getent", "passwd", "census").status).not.toBe(0);
    expect(run("getent", "group", "census").status).not.toBe(0);
    const left = ["/etc/census", "/var/lib/census", "/var/log/census", "/usr/share/doc/census"].filter(existsSync);
    expect(left).toEqual([]);
  });
});

const rpmFile = ownTarget === undefined ? undefined : rpmPath(ownTarget);
const isBuilt = executable !== undefined && rpmFile !== undefined && existsSync(rpmFile) && process.getuid?.() === 0;
const noRpm = run("rpm", "--version").status === 0 ? undefined : "apt-get install rpm";
const isTried = isBuilt && !isLeftOut("the RPM package", noRpm, "CENSUS_WITHOUT_PACKAGERS");

/** A root directory of its own: the files of this system, with all changes in a temporary directory. */
const above = mkdtempSync(join(tmpdir(), "census-rpm-"));
const root = join(above, "root");

function mount(): string | undefined {
  for (const name of ["memory", "root"]) mkdirSync(join(above, name));
  // Not every file system may be the upper one of an overlay.
  const memory = join(above, "memory");
  if (run("mount", "-t", "tmpfs", "census", memory).status !== 0) return "no mounts";
  for (const name of ["upper", "work"]) mkdirSync(join(memory, name));
  const layers = `lowerdir=/,upperdir=${join(memory, "upper")},workdir=${join(memory, "work")}`;
  if (run("mount", "-t", "overlay", "census", "-o", layers, root).status !== 0) return "no overlays of /";
  return run("mount", "-t", "proc", "proc", join(root, "proc")).status === 0 ? undefined : "no /proc";
}

const rpmObstacle = isTried ? mount() : undefined;
const isInstalled = isTried && !isLeftOut("the installation of the RPM package", rpmObstacle, RESTRICTED_MACHINE);
afterAll(() => {
  for (const path of ["root/proc", "root", "memory"]) run("umount", join(above, path));
  rmSync(above, { recursive: true, force: true });
});

const inside = (...words: readonly string[]) => run("chroot", root, ...words);
/** The database is empty: what the package requires of the system is not in it. */
const rpm = (...words: readonly string[]) => run("rpm", "--root", root, "--nodeps", ...words);

describe.skipIf(!isInstalled)("the RPM package in a root directory of its own", () => {
  beforeAll(() => rmSync(join(root, "var/lib/rpm"), { recursive: true, force: true }));

  it("installs the program, its user, unit and directories", () => {
    expect(run("rpm", "--checksig", rpmFile ?? "").stdout).toMatch(/: digests OK\n$/);
    expect(rpm("--install", rpmFile ?? "")).toMatchObject({ status: 0 });
    expect(rpm("--verify", "census")).toMatchObject({ status: 0, stdout: "" });
    const user = inside("getent", "passwd", "census").stdout.split(":");
    expect(user.slice(5)).toEqual(["/var/lib/census", "/sbin/nologin\n"]);
    const owned = ["var/lib/census", "var/log/census"].map((path) => statSync(join(root, path)));
    expect(owned.map(({ uid, mode }) => [uid, (mode & 0o777).toString(8)])).toEqual([
      [Number(user[2]), "700"],
      [Number(user[2]), "750"],
    ]);
    for (const path of ["usr/lib/systemd/system/census.service", "usr/share/licenses/census/LICENSES.txt"]) {
      expect(existsSync(join(root, path))).toBe(true);
    }
  });

  it("passes its own check", () => {
    const { status, stdout } = inside(
      "env",
      "-i",
      "HOME=/root",
      "/usr/bin/census",
      "self-check",
      "--as-user",
      "census",
    );
    expect(stdout).toContain("ok       files: /usr/share/census/census.sha256: ");
    expect(stdout).toMatch(/^ok {7}engine: /m);
    // The port of the configuration may be in use on this machine.
    expect(stdout.match(/^error (?! *port:).*$/gm)).toBeNull();
    expect(status).toBe(stdout.includes("error    port:") ? 1 : 0);
  });

  it("keeps changes of the configuration when another build replaces it", async () => {
    if (ownTarget === undefined) throw new Error("no executable is made for this platform");
    const jetty = join(root, "etc/census/conf.d/jetty.ini");
    appendFileSync(jetty, "\n# ours\n");
    const files = await releaseFiles(ownTarget, join(root, "bin/true"), []);
    const configuration = files.configuration.map(([name, text]) => [name, `${text}\n# new\n`] as const);
    const other = join(above, "memory/other.rpm");
    writeRpm(other, ownTarget, { ...files, configuration }, { seconds: 1_700_000_000, level: 0 });
    const upgrade = rpm("--upgrade", "--replacepkgs", "--oldpackage", other);
    expect(upgrade).toMatchObject({ status: 0, stderr: expect.stringContaining("jetty.ini.rpmnew") });
    expect(readFileSync(jetty, "utf8")).toMatch(/# ours\n$/);
    expect(readFileSync(join(root, "etc/census/conf.d/global.ini"), "utf8")).toMatch(/# new\n$/);
    expect(statSync(join(root, "usr/bin/census")).size).toBe(statSync(join(root, "bin/true")).size);
  });

  it("leaves changed configuration and data behind when it is erased", () => {
    appendFileSync(join(root, "var/lib/census/data"), "data");
    expect(rpm("--erase", "census").status).toBe(0);
    const left = ["usr/bin/census", "etc/census/conf.d/jetty.ini.rpmsave", "var/lib/census/data"];
    expect(left.map((path) => existsSync(join(root, path)))).toEqual([false, true, true]);
    expect(existsSync(join(root, "usr/share/doc/census"))).toBe(false);
  });
});
