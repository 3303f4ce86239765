import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import type { ReleaseFile, ReleaseFiles, ReleaseOptions } from "./files.ts";

/** Debian's names of our targets' architectures. */
const architectures: Readonly<Record<string, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" };

const scripts = ["postinst", "prerm", "postrm"];

const CONFIGURATION = "etc/census/conf.d";

/** The file name of a target's Debian package; undefined: none. */
export function debianName({ name }: Target): string | undefined {
  const architecture = architectures[name];
  return architecture === undefined ? undefined : `census_${version}_${architecture}.deb`;
}

/**
 * Builds the Debian package of a target.
 * @param work a temporary directory, deleted afterwards
 * @throws CensusError "unavailable" if `dpkg-deb` is not installed
 */
export function writeDebianPackage(
  path: string,
  target: Target,
  files: ReleaseFiles,
  work: string,
  { seconds, level }: ReleaseOptions,
): void {
  rmSync(work, { recursive: true, force: true });
  const content = installedFiles(files);
  const size = content.reduce((sum, file) => sum + file.content.length, 0);
  const control: ReleaseFile[] = [
    { path: "DEBIAN/control", content: controlFile(architectures[target.name] ?? "", Math.ceil(size / 1024)) },
    { path: "DEBIAN/conffiles", content: content.filter(isConfiguration).map(absolute).join("") },
    {
      path: "DEBIAN/md5sums",
      content: content
        .filter((file) => !isConfiguration(file))
        .map(md5Line)
        .join(""),
    },
    ...scripts.map((name) => ({
      path: `DEBIAN/${name}`,
      content: readFileSync(join(root, "packaging/debian", name)),
      isProgram: true as const,
    })),
  ];
  for (const file of [...content, ...control]) write(work, file, seconds);
  const run = spawnSync("dpkg-deb", ["--root-owner-group", "-Zxz", `-z${level}`, "--build", work, path], {
    encoding: "utf8",
    // Used for directories.
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
  rmSync(work, { recursive: true, force: true });
  if (run.error !== undefined) throw new CensusError("unavailable", `dpkg-deb is not here: ${run.error.message}`);
  if (run.status !== 0) throw new CensusError("bad-file", `${path}: ${run.stderr.trim()}`);
}

function installedFiles(files: ReleaseFiles): ReleaseFile[] {
  const documents = "usr/share/doc/census";
  return [
    { path: "usr/bin/census", content: files.program, isProgram: true },
    { path: "usr/lib/systemd/system/census.service", content: files.unit },
    { path: "usr/share/bash-completion/completions/census", content: files.completions.bash },
    { path: "usr/share/zsh/vendor-completions/_census", content: files.completions.zsh },
    { path: "usr/share/fish/vendor_completions.d/census.fish", content: files.completions.fish },
    { path: "usr/share/man/man1/census.1.gz", content: gzipSync(files.manual, { level: 9 }) },
    { path: `${documents}/copyright`, content: files.licences },
    { path: `${documents}/sbom.cdx.json`, content: files.bill },
    ...files.pages.map(([name, content]) => ({ path: `${documents}/${name}`, content })),
    ...files.configuration.map(([name, content]) => ({ path: `${CONFIGURATION}/${name}`, content })),
  ];
}

function isConfiguration({ path }: ReleaseFile): boolean {
  return path.startsWith(CONFIGURATION);
}

function absolute({ path }: ReleaseFile): string {
  return `/${path}\n`;
}

function md5Line({ path, content }: ReleaseFile): string {
  return `${createHash("md5").update(content).digest("hex")}  ${path}\n`;
}

function controlFile(architecture: string, kilobytes: number): string {
  return [
    "Package: census",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    "Maintainer: Census <census@localhost>",
    "Section: admin",
    "Priority: optional",
    `Installed-Size: ${kilobytes}`,
    // The engine's library needs the first two, postinst the last.
    "Depends: libc6 (>= 2.28), libstdc++6 (>= 8), passwd",
    "Description: configuration inventory of a fleet of nodes",
    " Stores facts, catalogs and reports and answers queries in PQL, with PuppetDB's",
    " interface. One program with its database inside.",
    "",
  ].join("\n");
}

function write(work: string, { path, content, isProgram }: ReleaseFile, seconds: number): void {
  const file = join(work, path);
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  writeFileSync(file, content, { mode: isProgram === true ? 0o755 : 0o644 });
  utimesSync(file, seconds, seconds);
}
