import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, rmSync, writeFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ZipArchive } from "archiver";
import { pack, type Pack } from "tar-stream";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import type { Target } from "../executable/targets.ts";
import type { ReleaseFile, ReleaseFiles, ReleaseOptions } from "./files.ts";

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
  return [
    { path: isWindows ? "census.exe" : "census", content: files.program, isProgram: true },
    { path: "INSTALL.md", content: files.guide },
    ...files.pages.map(([file, content]) => ({ path: `docs/${file}`, content })),
    { path: "LICENSES.txt", content: files.licences },
    { path: "sbom.cdx.json", content: files.bill },
    ...files.configuration.map(([file, content]) => ({ path: `census.conf.d/${file}`, content })),
    ...(isLinux
      ? [
          { path: "systemd/census.service", content: files.unit },
          { path: "systemd/census.sysusers", content: files.users },
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
}

async function writeTar(path: string, entries: readonly ReleaseFile[], seconds: number, level: number): Promise<void> {
  const tar = pack();
  const xz = spawn("xz", [`-${level}`, "--threads=1", "--stdout"], { stdio: ["pipe", "pipe", "inherit"] });
  const failed = once(xz, "error").then(([error]) => {
    throw new CensusError("unavailable", `xz is not here: ${(error as Error).message}`);
  });
  const ended = once(xz, "close");
  const written = Promise.all([pipeline(tar, xz.stdin), pipeline(xz.stdout, createWriteStream(path))]);
  for (const entry of entries) await writeEntry(tar, entry, seconds);
  tar.finalize();
  await Promise.race([failed, written]);
  const [code] = (await ended) as [number];
  if (code !== 0) throw new CensusError("bad-file", `${path}: xz ended with ${code}`);
}

async function writeEntry(tar: Pack, { path: name, content, isProgram }: ReleaseFile, seconds: number): Promise<void> {
  const owner = { uid: 0, gid: 0, uname: "root", gname: "root" };
  const header = { name, mode: isProgram === true ? 0o755 : 0o644, mtime: new Date(seconds * 1000), ...owner };
  await new Promise<void>((resolve, reject) => {
    tar.entry(header, Buffer.from(content), (error) => (error ? reject(error) : resolve()));
  });
}

async function writeZip(path: string, entries: readonly ReleaseFile[], seconds: number): Promise<void> {
  const zip = new ZipArchive({ zlib: { level: 9 } });
  const written = pipeline(zip, createWriteStream(path));
  for (const { path: name, content } of entries) {
    zip.append(Buffer.from(content), { name, date: new Date(seconds * 1000), mode: 0o644 });
  }
  await Promise.all([zip.finalize(), written]);
}

/** Checksums of delivered files in the format of `sha256sum --check`. */
export function writeSums(path: string, sums: readonly (readonly [name: string, sum: string])[]): void {
  writeFileSync(path, sums.map(([name, sum]) => `${sum}  ${name}\n`).join(""));
}
