import { createHash } from "node:crypto";
import { createWriteStream, rmSync, writeFileSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ZipArchive } from "archiver";
import { checksumsFile } from "#app/check/installed-files.ts";
import { version } from "#app/version.ts";
import type { Target } from "../executable/targets.ts";
import type { ReleaseFile, ReleaseFiles, ReleaseOptions } from "./files.ts";
import { checksums } from "./installed.ts";
import { tarPieces } from "./tar.ts";
import { xzFile } from "./xz.ts";

/** The name of a target's archive. */
export function archiveName({ name }: Target): string {
  return `census-${version}-${name}.${name.startsWith("win32") ? "zip" : "tar.xz"}`;
}

/** Writes all files for a target as one archive with one directory: zip for Windows, tar for others. */
export async function writeArchive(
  path: string,
  target: Target,
  files: ReleaseFiles,
  { seconds, level }: ReleaseOptions,
): Promise<void> {
  const folder = `census-${version}-${target.name}`;
  const entries = entriesOf(target, files).map((file) => ({ ...file, path: `${folder}/${file.path}` }));
  try {
    await (path.endsWith(".zip") ? writeZip(path, entries, seconds) : writeTar(path, entries, seconds, level));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function entriesOf({ name }: Target, files: ReleaseFiles): ReleaseFile[] {
  const isLinux = name.startsWith("linux");
  const isWindows = name.startsWith("win32");
  const entries: ReleaseFile[] = [
    { path: isWindows ? "census.exe" : "census", content: files.program, isProgram: true },
    { path: "INSTALL.md", content: files.guide },
    ...files.pages.map(([file, content]) => ({ path: `docs/${file}`, content })),
    { path: "LICENSES.txt", content: files.licences },
    { path: "sbom.cdx.json", content: files.bill },
    ...files.monitoring.map(([file, content]) => ({ path: `monitoring/${file}`, content })),
    ...files.containers.map(([file, content]) => ({ path: `container/${file}`, content })),
    ...files.integration.map(([file, content]) => ({ path: `ci/${file}`, content })),
    ...files.configuration.map(([file, content]) => ({ path: `census.conf.d/${file}`, content })),
    ...(isLinux
      ? [
          { path: "systemd/census.service", content: files.unit },
          { path: "systemd/census.sysusers", content: files.users },
          { path: "logrotate/census", content: files.rotation },
          ...files.repositories.map(([file, content]) => ({ path: `repository/${file}`, content })),
        ]
      : []),
    ...(isWindows
      ? []
      : [
          { path: "completion/census.bash", content: files.completions.bash },
          { path: "completion/_census", content: files.completions.zsh },
          { path: "completion/census.fish", content: files.completions.fish },
          { path: "man/census.1", content: files.manual },
        ]),
  ];
  return [
    ...entries,
    {
      path: checksumsFile,
      content: checksums(
        entries.filter(({ path }) => !path.startsWith("census.conf.d/")),
        "",
      ),
    },
  ];
}

async function writeTar(path: string, entries: readonly ReleaseFile[], seconds: number, level: number): Promise<void> {
  const modes = entries.map((entry) => ({ ...entry, mode: entry.isProgram === true ? 0o755 : 0o644 }));
  writeFileSync(path, xzFile(await tarPieces(modes, seconds), level));
}

async function writeZip(path: string, entries: readonly ReleaseFile[], seconds: number): Promise<void> {
  const zip = new ZipArchive({ zlib: { level: 9 } });
  const written = pipeline(zip, createWriteStream(path));
  for (const { path: name, content } of entries) {
    zip.append(Buffer.from(content), { name, date: new Date(seconds * 1000), mode: 0o644 });
  }
  await Promise.all([zip.finalize(), written]);
}

/** The name of the list of checksums. */
export const sumsFile = "SHA256SUMS";

/** Writes the checksums of all released files of a directory in the format of `sha256sum --check`. */
export function writeReleaseSums(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.startsWith("census"));
  writeFileSync(
    join(folder, sumsFile),
    names
      .sort()
      .map((name) => `${sumOf(join(folder, name))}  ${name}\n`)
      .join(""),
  );
}

/** The SHA-256 of a file. */
export function sumOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
