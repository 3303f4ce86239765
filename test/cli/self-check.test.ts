import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkInstalledFiles } from "#app/check/installed-files.ts";
import { createAuthority, hoursFromNow } from "#test/certificates.ts";
import { census, workFolder } from "./census.ts";

const folder = workFolder();

interface Outcome {
  readonly level: string;
  readonly check: string;
  readonly what: string;
  readonly remedy: string | null;
}

const sumOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o644 });
  return path;
}

/** As in an unpacked archive: paths are relative to the list. */
function unpacked(name: string): { program: string; page: string } {
  const program = put(join(folder, name, "census"), "program");
  const page = put(join(folder, name, "docs/page.md"), "page");
  put(join(folder, name, "census.sha256"), `${sumOf("program")}  census\n${sumOf("page")}  docs/page.md\n`);
  return { program, page };
}

const check = async (config: string): Promise<{ code: number | null; found: Outcome[] }> => {
  const { code, stdout } = await census(["self-check", "--config", config, "--output", "json"]);
  return { code, found: JSON.parse(stdout) as Outcome[] };
};

describe("the files of an installation", () => {
  it("are compared with the checksums beside the program", async () => {
    const { program, page } = unpacked("archive");
    const list = join(folder, "archive/census.sha256");
    expect(await checkInstalledFiles(program)).toMatchObject([
      { level: "ok", what: `${list}: 2 checked, no difference` },
    ]);
    writeFileSync(page, "changed");
    expect(await checkInstalledFiles(program)).toMatchObject([
      { level: "error", what: `${page} differs from what was released`, remedy: "install this release again" },
    ]);
    rmSync(page);
    expect(await checkInstalledFiles(program)).toMatchObject([{ level: "error", what: `${page} does not exist` }]);
  });

  it("are compared with the checksums of a package, whose paths are absolute", async () => {
    const program = put(join(folder, "usr/bin/census"), "program");
    const list = put(join(folder, "usr/share/census/census.sha256"), `${sumOf("program")}  ${program}\n`);
    expect(await checkInstalledFiles(program)).toMatchObject([
      { level: "ok", what: `${list}: 1 checked, no difference` },
    ]);
    const copy = put(join(folder, "usr/bin/copy"), "program");
    expect(await checkInstalledFiles(copy)).toMatchObject([
      { level: "ok", what: `${copy} has no census.sha256 to compare with` },
    ]);
  });

  it.skipIf(process.platform === "win32")("must not be writable by other users", async () => {
    const { program } = unpacked("open");
    chmodSync(program, 0o757);
    const what = `${program} has mode 0757: other users can change it`;
    expect((await checkInstalledFiles(program))[0]).toMatchObject({
      level: "error",
      what,
      remedy: `chmod go-w ${program}`,
    });
    chmodSync(program, 0o755);
    chmodSync(dirname(program), 0o777);
    expect((await checkInstalledFiles(program))[0]).toMatchObject({ level: "error", check: "permissions" });
  });
});

describe("census self-check", () => {
  const until = hoursFromNow(24 * 365);
  const authority = createAuthority("Site CA", until);
  const own = authority.issue({ name: "census.example.com", until });

  function configuration(name: string, jetty: string): string {
    const path = join(folder, name);
    put(join(path, "global.ini"), `[global]\nvardir = ${join(folder, "data")}\n`);
    put(join(path, "jetty.ini"), jetty);
    put(join(path, "cert.pem"), own.cert);
    put(join(path, "key.pem"), own.key);
    put(join(path, "ca.pem"), authority.cert);
    return path;
  }

  it("checks the program, its files, the engine and what config --check checks", async () => {
    const tls = "[jetty]\nport = 0\nssl-port = 0\nssl-cert = cert.pem\nssl-key = key.pem\nssl-ca-cert = ca.pem\n";
    const { code, found } = await check(configuration("sound", tls));
    expect(code).toBe(0);
    const checks = new Set(found.map((one) => one.check));
    const expected = ["program", "files", "engine", "certificate", "key", "data directory", "disk space", "clock"];
    expect([...checks]).toStrictEqual(expect.arrayContaining(expected));
  });

  it("prints all findings and what to do if the configuration cannot be understood", async () => {
    const config = configuration("wrong", "[jetty]\nport = http\n");
    const { code, found } = await check(config);
    expect(code).toBe(1);
    expect(found.find((one) => one.check === "engine")?.level).toBe("ok");
    expect(found.find((one) => one.check === "setting")?.remedy).toBe("correct the setting; see docs/settings.md");
    const text = await census(["self-check", "--config", config]);
    expect(text.stdout).toMatch(/\nInstallation has 1 error/);
  });

  it("reports a configuration that does not exist", async () => {
    const { code, found } = await check(join(folder, "absent"));
    expect(code).toBe(1);
    expect(found.find((one) => one.check === "configuration")?.what).toMatch(/absent: .*does not exist$/);
  });

  it.skipIf(process.platform === "win32")("reports a configuration that other users can change", async () => {
    const config = configuration("open-config", "[jetty]\nport = 0\n");
    chmodSync(join(config, "jetty.ini"), 0o666);
    const { code, found } = await check(config);
    expect(code).toBe(1);
    const what = `${join(config, "jetty.ini")} has mode 0666: other users can change it`;
    expect(found.find((one) => one.check === "permissions")?.what).toBe(what);
  });
});
