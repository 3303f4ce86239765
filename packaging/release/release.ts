import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { CensusError } from "#storage/errors.ts";
import { output, root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";
import { archiveName, writeArchive, writeSums } from "./archive.ts";
import { debianName, writeDebianPackage } from "./debian.ts";
import { releaseFiles } from "./files.ts";
import { releaseTime } from "./moment.ts";

/** The directory of released files. */
export const releaseFolder: string = join(output, "release");

const [QUICK, THOROUGH] = [0, 6];

/** The path of a target's archive. */
export function archivePath(target: Target): string {
  return join(releaseFolder, archiveName(target));
}

/** The path of a target's Debian package, if it has one. */
export function debianPath(target: Target): string | undefined {
  const name = debianName(target);
  return name === undefined ? undefined : join(releaseFolder, name);
}

/**
 * Builds the released files of a target: its archive and, for Linux, its Debian package; then the checksums of all files.
 * @param isQuick compress less: a fifth larger, in a tenth of the time
 * @returns a line for each file
 */
export async function makeRelease(
  target: Target,
  executable: string,
  bundled: readonly string[],
  isQuick: boolean,
): Promise<string[]> {
  mkdirSync(releaseFolder, { recursive: true });
  const files = await releaseFiles(target, executable, bundled);
  const options = { seconds: releaseTime(), level: isQuick ? QUICK : THOROUGH };
  const archive = archivePath(target);
  const debian = debianPath(target);
  const lines = [
    await reported(archive, () => writeArchive(archive, target, files, options)),
    ...(debian === undefined
      ? []
      : [
          await reported(debian, () =>
            writeDebianPackage(debian, target, files, join(output, "work", `${target.name}-debian`), options),
          ),
        ]),
  ];
  const names = readdirSync(releaseFolder).filter((name) => name.startsWith("census"));
  writeSums(
    join(releaseFolder, "SHA256SUMS"),
    names.sort().map((name) => [name, sumOf(join(releaseFolder, name))]),
  );
  return lines;
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

function sumOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
