import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { version } from "#app/version.ts";
import { CensusError } from "#storage/errors.ts";
import { output, root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import { archiveName, writeArchive } from "./archive.ts";
import { debianName, writeDebianPackage } from "./debian.ts";
import { type ReleaseFiles, releaseFiles } from "./files.ts";
import { type ImageSource, imageName, writeImage } from "./image.ts";
import { hasLibraries } from "./image-files.ts";
import { releaseTime } from "./moment.ts";
import { billSuffix } from "./publish.ts";
import { rpmName, writeRpm } from "./rpm.ts";

/** The directory of released files. */
export const releaseFolder: string = join(output, "release");

const [QUICK, THOROUGH] = [0, 4];

/** The path of a target's archive. */
export function archivePath(target: Target): string {
  return join(releaseFolder, archiveName(target));
}

/** The path of a target's Debian package, if it has one. */
export function debianPath(target: Target): string | undefined {
  const name = debianName(target);
  return name === undefined ? undefined : join(releaseFolder, name);
}

/** The path of a target's RPM package, if it has one. */
export function rpmPath(target: Target): string | undefined {
  const name = rpmName(target);
  return name === undefined ? undefined : join(releaseFolder, name);
}

/**
 * Builds the released files of a target: its archive and, for Linux, its packages.
 * @param isQuick compress less: a fifth larger, in a tenth of the time
 * @returns the files, and a line for each archive and package
 */
export async function makeRelease(
  target: Target,
  executable: string,
  bundled: readonly string[],
  isQuick: boolean,
): Promise<{ readonly files: ReleaseFiles; readonly lines: readonly string[] }> {
  mkdirSync(releaseFolder, { recursive: true });
  const files = await releaseFiles(target, executable, bundled);
  const options = { seconds: releaseTime(), level: isQuick ? QUICK : THOROUGH };
  const [debian, rpm] = [debianPath(target), rpmPath(target)];
  const made: readonly (readonly [path: string | undefined, make: (path: string) => Promise<void> | void])[] = [
    [archivePath(target), (path) => writeArchive(path, target, files, options)],
    [debian, (path) => writeDebianPackage(path, target, files, options)],
    [rpm, (path) => writeRpm(path, target, files, options)],
  ];
  const lines = [];
  for (const [path, make] of made) {
    if (path !== undefined) lines.push(await reported(path, () => make(path)));
  }
  writeFileSync(join(releaseFolder, `census-${version}-${target.name}${billSuffix}`), files.bill);
  return { files, lines };
}

/** The path of the image. */
export const imagePath: string = join(releaseFolder, imageName);

/**
 * Builds the image for containers for those targets that have one.
 * @returns a line about it; undefined: there is none
 */
export async function makeImage(sources: readonly ImageSource[], isQuick: boolean): Promise<string | undefined> {
  const chosen = sources.filter(({ target }) => hasLibraries(target));
  if (chosen.length === 0) return undefined;
  const names = chosen.map(({ target }) => target.name).join(" and ");
  return `${await reported(imagePath, () => writeImage(imagePath, chosen, { seconds: releaseTime(), isQuick }))} for ${names}`;
}

/** Skips files whose tool is not installed. */
async function reported(path: string, make: () => Promise<void> | void): Promise<string> {
  try {
    await make();
  } catch (error) {
    if (!(error instanceof CensusError && error.code === "unavailable")) throw error;
    return `skipped: ${error.message}`;
  }
  return `${relative(root, path)}, ${(statSync(path).size / 1e6).toFixed(1)} MB`;
}
