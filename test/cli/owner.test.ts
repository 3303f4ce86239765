import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLeftOut, RESTRICTED_MACHINE } from "#test/left-out.ts";
import { program } from "#test/program.ts";
import { SAMPLE, startedRun as census, startServer, workFolder } from "./census.ts";

const folder = workFolder();

/** The number of a user who owns nothing here, as a service's user does. */
const SERVICE = 65_534;

/** The owner of each file and folder below a folder that another user owns. */
function strangersIn(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(path, name)).uid !== SERVICE,
  );
}

function ownedDirectory(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, SERVICE, SERVICE);
  return path;
}

const reason = process.getuid?.() === 0 ? undefined : "needs root";

describe.skipIf(isLeftOut("commands of root in a service's directory", reason, RESTRICTED_MACHINE))("root", () => {
  it("imports into the directory of a service, serves it and retries dead letters as its owner", async () => {
    chmodSync(folder, 0o755);
    const archive = join(folder, "sample.tgz");
    copyFileSync(SAMPLE, archive);
    const data = ownedDirectory("data");
    // The packaged program unpacks its engine as the owner.
    const env = { CENSUS_NATIVE_DIR: ownedDirectory("engine") };
    expect(await census(["import", archive, "--data", data], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(strangersIn(data)).toEqual([]);

    const letters = join(data, "queue/discarded/replace_facts");
    mkdirSync(letters, { recursive: true });
    const letter = "17-1704164645678_facts_5_web-01.json";
    writeFileSync(join(letters, letter), '{"certname":"web-01"}');
    for (const path of [join(data, "queue"), join(data, "queue/discarded"), letters, join(letters, letter)])
      chownSync(path, SERVICE, SERVICE);
    const retried = await census(["dead-letters", "retry", `replace_facts/${letter}`, "--data", data], { env });
    expect(retried).toMatchObject({ code: 0, stderr: "" });
    expect(strangersIn(data)).toEqual([]);

    const server = await startServer(["serve", "--data", data, "--port", "0"], { env });
    expect(await server.stop()).toBe(0);
    expect(strangersIn(data)).toEqual([]);
  });

  it("is told where an archive that the owner cannot read must go", async () => {
    const hidden = join(folder, "hidden");
    mkdirSync(hidden, { mode: 0o700 });
    copyFileSync(SAMPLE, join(hidden, "a.tgz"));
    const data = ownedDirectory("empty");
    const { code, stderr } = await census(["import", join(hidden, "a.tgz"), "--data", data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/a\.tgz: cannot be read by \w+, the owner of \S+empty: \S+hidden has mode 0700.*; move it/);
    expect(readdirSync(data)).toEqual([]);
  });

  it("sees in a check what the service cannot use", async () => {
    const data = ownedDirectory("mixed");
    mkdirSync(join(data, "queue"));
    chmodSync(join(data, "queue"), 0o700);
    const { code, stdout } = await census([
      "config",
      "--check",
      "--data",
      data,
      "--as-user",
      String(SERVICE),
      "--port",
      "0",
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain(`${join(data, "queue")} cannot be read and written by`);
  });

  it("changes an access file as its owner's, and others are told who that is", async () => {
    chmodSync(folder, 0o755);
    const own = ownedDirectory("etc");
    const made = join(own, "access.json");
    const kept = join(folder, "access.json");
    writeFileSync(kept, "{}");
    // Whatever the mask of this process is.
    chmodSync(kept, 0o640);
    chownSync(kept, SERVICE, SERVICE);
    for (const file of [made, kept]) {
      const words = ["user", "group", "ops", "--role", "reader", "--access-file", file];
      expect(await census(words)).toMatchObject({ code: 0, stdout: "" });
      expect(statSync(file)).toMatchObject({ uid: SERVICE, gid: SERVICE });
      expect(statSync(file).mode & 0o777).toBe(0o640);
    }
    expect(readdirSync(own)).toEqual(["access.json"]);

    // Somebody of the group, who may write to the directory.
    const shared = ownedDirectory("shared");
    chmodSync(shared, 0o770);
    const file = join(shared, "access.json");
    copyFileSync(kept, file);
    chownSync(file, SERVICE, SERVICE);
    const [command = "", ...before] = program;
    const words = [...before, "user", "group", "ops", "--role", "admin", "--access-file", file];
    const { status, stderr } = spawnSync(command, words, {
      uid: SERVICE - 1,
      gid: SERVICE,
      cwd: "/",
      encoding: "utf8",
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /access\.json: belongs to \w+; run the command as this user: sudo -u \w+ census user group ops/,
    );
    expect(statSync(file).uid).toBe(SERVICE);
    expect(readdirSync(shared)).toEqual(["access.json"]);
  });
});
