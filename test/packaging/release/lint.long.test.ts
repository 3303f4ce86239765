import { spawnSync } from "node:child_process";
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownTarget } from "#packaging/executable/targets.ts";
import { debianName, writeDebianPackage } from "#packaging/release/debian.ts";
import { releaseFiles } from "#packaging/release/files.ts";
import { rpmName, writeRpm } from "#packaging/release/rpm.ts";
import { workFolder } from "#test/cli/census.ts";
import { isLeftOut } from "#test/left-out.ts";
import { executable } from "#test/program.ts";

const packaging = join(import.meta.dirname, "../../../packaging");
const settings = join(packaging, "rpm/rpmlint.toml");
const folder = workFolder();
const run = (program: string, ...words: readonly string[]) => spawnSync(program, words, { encoding: "utf8" });
const isLinted = (tool: string): boolean => {
  const reason = run(tool, "--version").status === 0 ? undefined : `apt-get install ${tool}`;
  return !isLeftOut(`packages with ${tool}`, reason, "CENSUS_WITHOUT_PACKAGERS");
};

// Everything but the program is that of a release: its size would take a minute.
describe.skipIf(ownTarget === undefined || executable !== undefined)("packages", () => {
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

  it.skipIf(!isLinted("lintian"))("have no errors in lintian", () => {
    const { status, stdout } = run("lintian", "--allow-root", "--fail-on", "error", debian);
    expect({ status, errors: stdout.match(/^E: .*$/gm) }).toEqual({ status: 0, errors: null });
  });

  it.skipIf(!isLinted("rpmlint"))("have no errors in rpmlint", () => {
    const { status, stdout } = run("rpmlint", "--config", settings, rpm);
    expect({ status, errors: stdout.match(/^.* E: .*$/gm) }).toEqual({ status: 0, errors: null });
  });

  describe("in the repositories that make-repositories.sh makes", () => {
    const [site, keys] = [join(folder, "site"), join(folder, "keys")];
    const owner = "packages@example.com";
    const make = (...words: readonly string[]) =>
      spawnSync("sh", [join(packaging, "repository/make-repositories.sh"), ...words], {
        encoding: "utf8",
        env: { ...process.env, GNUPGHOME: keys },
      });

    beforeAll(() => {
      mkdirSync(keys, { mode: 0o700 });
      const words = ["--batch", "--quiet", "--passphrase", "", "--quick-generate-key", `Site <${owner}>`, "ed25519"];
      run("gpg", "--homedir", keys, ...words, "sign", "never");
      // Once for each kind: the second run keeps what is there.
      for (const file of [debian, rpm]) make(site, owner, file);
    });
    afterAll(() => run("gpgconf", "--homedir", keys, "--kill", "all"));

    it.skipIf(!isLinted("apt-ftparchive"))("apt finds and fetches them, until an index is changed", () => {
      const own = join(folder, "apt");
      for (const path of ["state/lists/partial", "cache/archives/partial"])
        mkdirSync(join(own, path), { recursive: true });
      writeFileSync(join(own, "status"), "");
      const source = `deb [arch=amd64,arm64 signed-by=${site}/census.asc] file:${site}/apt stable main\n`;
      writeFileSync(join(own, "sources.list"), source);
      const places = { "Etc::SourceList": "sources.list", State: "state", "State::status": "status", Cache: "cache" };
      const options = [
        ...Object.entries(places).flatMap(([name, path]) => ["-o", `Dir::${name}=${join(own, path)}`]),
        "-oDir::Etc::SourceParts=/dev/null",
        "-oAPT::Sandbox::User=root",
      ];
      const apt = (...words: readonly string[]) => spawnSync("apt-get", [...options, ...words], { cwd: own });
      expect(apt("update").stderr.toString()).toBe("");
      const name = ownTarget && debianName(ownTarget);
      const architecture = name?.replace(/^.*_|\.deb$/g, "");
      expect(apt("download", `census:${architecture}`).status).toBe(0);
      expect(readFileSync(join(own, name ?? "")).equals(readFileSync(debian))).toBe(true);
      const index = join(site, "apt/dists/stable/InRelease");
      writeFileSync(index, readFileSync(index, "utf8").replace("Origin: census", "Origin: others"));
      expect(apt("update").stderr.toString()).toMatch(/BADSIG/);
    });

    it.skipIf(!isLinted("dnf") || !isLinted("createrepo_c"))(
      "dnf finds them, until an index is changed",
      () => {
        const own = join(folder, "dnf");
        for (const path of ["root", "log", "cache", "repos"]) mkdirSync(join(own, path), { recursive: true });
        const lines = ["[census]", "name=Census", `baseurl=file://${site}/dnf`, "gpgcheck=0", "repo_gpgcheck=1"];
        writeFileSync(join(own, "repos/census.repo"), [...lines, `gpgkey=file://${site}/census.asc\n`].join("\n"));
        const places = ["reposdir=repos", "logdir=log", "cachedir=cache"];
        const options = places.map((place) => `--setopt=${place.replace("=", `=${own}/`)}`);
        const query = ["repoquery", "--repo", "census", "--location", "census"];
        const dnf = () =>
          run("dnf", "-y", ...options, `--installroot=${own}/root`, "--releasever=9", "--refresh", ...query);
        expect(dnf().stdout).toBe(`file://${site}/dnf/${ownTarget && rpmName(ownTarget)}\n`);
        appendFileSync(join(site, "dnf/repodata/repomd.xml"), "<!-- changed -->");
        const { stdout, stderr } = dnf();
        expect([stdout, stderr]).toEqual(["", expect.stringContaining("GPG signature verification error")]);
      },
      120_000,
    );

    it("needs a key and packages", () => {
      expect(make(site, "nobody@example.com", debian).stderr).toMatch(/nobody@example\.com: gpg has no secret key/);
      expect(make(site, owner, join(folder, "program")).stderr).toMatch(/expected a \.deb or \.rpm file\n$/);
    });
  });
});
