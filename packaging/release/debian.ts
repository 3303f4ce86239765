import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { version } from "#app/version.ts";
import { root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import type { ReleaseFiles, ReleaseOptions } from "./files.ts";
import { type InstalledFile, installedFiles, places } from "./installed.ts";
import { directoriesOf, type TarEntry, tarPieces } from "./tar.ts";
import { xzFile } from "./xz.ts";

/*
 * A Debian package is an archive in the format of `ar` with two tar files; dpkg-deb, which few machines other than Debian's
 * have, is not needed.
 */

/** Debian's names of our targets' architectures. */
const architectures: Readonly<Record<string, string>> = { "linux-x64": "amd64", "linux-arm64": "arm64" };

const scripts = ["postinst", "prerm", "postrm"];

const MAINTAINER = "Census <census@localhost>";

/** The file name of a target's Debian package; undefined: none. */
export function debianName({ name }: Target): string | undefined {
  const architecture = architectures[name];
  return architecture === undefined ? undefined : `census_${version}_${architecture}.deb`;
}

/**
 * Builds the Debian package of a target.
 * @throws CensusError "unavailable" if `xz` is not installed
 */
export async function writeDebianPackage(
  path: string,
  target: Target,
  files: ReleaseFiles,
  { seconds, level }: ReleaseOptions,
): Promise<void> {
  const overrides = readFileSync(join(root, "packaging/debian/lintian-overrides"), "utf8");
  const content: InstalledFile[] = [
    ...installedFiles(files, places.debian),
    changes(seconds),
    { path: "usr/share/lintian/overrides/census", content: overrides },
  ];
  const size = content.reduce((sum, file) => sum + file.content.length, 0);
  const control: TarEntry[] = [
    regular("control", controlFile(architectures[target.name] ?? "", Math.ceil(size / 1024))),
    regular("conffiles", content.filter(isConfiguration).map(absolute).join("")),
    regular(
      "md5sums",
      content
        .filter((file) => !isConfiguration(file))
        .map(md5Line)
        .join(""),
    ),
    ...scripts.map((name) => ({
      ...regular(name, readFileSync(join(root, "packaging/debian", name), "utf8")),
      mode: 0o755,
    })),
  ];
  const data: TarEntry[] = [
    ...directoriesOf(content.map((file) => file.path)).map((name) => ({ path: `./${name}/`, mode: 0o755 })),
    ...content.map((file) => ({
      path: `./${file.path}`,
      content: file.content,
      mode: file.isProgram === true ? 0o755 : 0o644,
    })),
  ];
  const tars = [];
  for (const entries of [control, data]) {
    tars.push(xzFile(await tarPieces([{ path: "./", mode: 0o755 }, ...entries], seconds), level));
  }
  const [controlTar = Buffer.alloc(0), dataTar = Buffer.alloc(0)] = tars;
  const members: readonly (readonly [name: string, content: Buffer])[] = [
    ["debian-binary", Buffer.from("2.0\n")],
    ["control.tar.xz", controlTar],
    ["data.tar.xz", dataTar],
  ];
  writeFileSync(
    path,
    Buffer.concat([Buffer.from("!<arch>\n"), ...members.flatMap((one) => arMember(...one, seconds))]),
  );
}

function arMember(name: string, content: Buffer, seconds: number): Buffer[] {
  const fields = [name.padEnd(16), String(seconds).padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
  const head = `${fields.join("")}${String(content.length).padEnd(10)}\`\n`;
  return [Buffer.from(head), content, Buffer.from(content.length % 2 === 0 ? "" : "\n")];
}

function regular(name: string, content: string): TarEntry {
  return { path: `./${name}`, content, mode: 0o644 };
}

/** Every package of Debian has a list of its changes; ours names the version. */
function changes(seconds: number): InstalledFile {
  const date = new Date(seconds * 1000).toUTCString().replace("GMT", "+0000");
  const text = [
    `census (${version}) stable; urgency=medium`,
    "",
    "  * See the history of the project.",
    "",
    ` -- ${MAINTAINER}  ${date}`,
    "",
  ].join("\n");
  return { path: "usr/share/doc/census/changelog.gz", content: gzipSync(text, { level: 9 }), kind: "document" };
}

function isConfiguration({ kind }: InstalledFile): boolean {
  return kind === "configuration";
}

function absolute({ path }: InstalledFile): string {
  return `/${path}\n`;
}

function md5Line({ path, content }: InstalledFile): string {
  return `${createHash("md5").update(content).digest("hex")}  ${path}\n`;
}

function controlFile(architecture: string, kilobytes: number): string {
  return [
    "Package: census",
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${MAINTAINER}`,
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
