import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it } from "vitest";
import { SAMPLE } from "#test/cli/census.ts";
import { executable } from "#test/program.ts";
import { ownTarget } from "../../../packaging/executable/targets.ts";
import { debianPath } from "../../../packaging/release/release.ts";

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
