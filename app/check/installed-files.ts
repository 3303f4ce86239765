import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { messageOf } from "#storage/errors.ts";
import { changeableByOthers } from "./changeable.ts";
import { type Finding, reporter } from "./finding.ts";

/** The name of the list of checksums that releases contain, in the format of `sha256sum --check`. */
export const checksumsFile = "census.sha256";

/** Where the list is, seen from the directory of the program: in an unpacked archive, and of a package. */
const places = [".", "../share/census"];

interface Listed {
  readonly path: string;
  readonly sum: string;
}

/** Compares the files of the release that a program belongs to with its checksums, and checks who may change them. */
export async function checkInstalledFiles(program: string): Promise<Finding[]> {
  const files = reporter("files", null);
  const found = listedWith(program);
  if (found === undefined) {
    return [...checkOwnership([program]), files.ok(`${program} has no ${checksumsFile} to compare with`)];
  }
  const { list, listed } = found;
  const differing: Finding[] = [];
  for (const { path, sum } of listed) {
    const problem = await difference(path, sum);
    if (problem !== undefined) differing.push(files.error(problem, "install this release again"));
  }
  const sound = files.ok(`${list}: ${listed.length} checked, no difference`);
  const paths = [program, list, ...listed.map(({ path }) => path)];
  return [...checkOwnership(paths), ...(differing.length === 0 ? [sound] : differing)];
}

/** Checks that only their owners may change files, and the directories that contain them. */
export function checkOwnership(paths: readonly string[]): Finding[] {
  const report = reporter("permissions", null);
  const all = new Set(paths.flatMap((path) => [path, dirname(path)]));
  const found = [...all].sort().map(changeableByOthers);
  return found
    .filter((problem) => problem !== undefined)
    .map((problem) => report.error(`${problem}: other users can change it`, `chmod go-w ${problem.split(" has ")[0]}`));
}

/** The list that contains the program. A list of another program, such as of a package beside a copy, is ignored. */
function listedWith(program: string): { list: string; listed: Listed[] } | undefined {
  for (const place of places) {
    const list = join(dirname(program), place, checksumsFile);
    if (!existsSync(list)) continue;
    const listed = read(list);
    if (listed.some(({ path }) => path === program)) return { list, listed };
  }
  return undefined;
}

/** The lines of a list. Paths are absolute, or relative to the list. */
function read(list: string): Listed[] {
  const lines = readFileSync(list, "utf8").matchAll(/^(?<sum>[0-9a-f]{64}) [ *](?<path>.+)$/gm);
  return [...lines].map(({ groups }) => ({
    path: resolve(dirname(list), groups?.["path"] ?? ""),
    sum: groups?.["sum"] ?? "",
  }));
}

async function difference(path: string, sum: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return isMissing ? `${path} does not exist` : `${path} cannot be read: ${messageOf(error)}`;
  }
  return hash.digest("hex") === sum ? undefined : `${path} differs from what was released`;
}
