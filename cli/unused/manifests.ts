import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { unreadable } from "#storage/archive/source.ts";
import { CensusError } from "#storage/errors.ts";
import { type Declaration, declarationsOf } from "./declarations.ts";

/** A declaration, and the file that it is in. */
export interface FoundDeclaration extends Declaration {
  readonly file: string;
}

/** Folders of code whose manifests are not for nodes. */
const otherFolders = new Set(["spec", "tests", "examples", "node_modules", "vendor", "pkg"]);

/**
 * The classes and defined types of a manifest, or of all manifests below a folder.
 * @throws CensusError "bad-file" when it cannot be read, or has no manifests
 */
export async function declarationsBelow(path: string): Promise<FoundDeclaration[]> {
  try {
    const files = (await stat(path)).isDirectory() ? await manifestsBelow(path, new Set()) : [path];
    if (files.length === 0) throw new CensusError("bad-file", `unused: ${path} contains no manifests (*.pp)`);
    const found: FoundDeclaration[] = [];
    for (const file of files) {
      found.push(...declarationsOf(await readFile(file, "utf8")).map((declaration) => ({ ...declaration, file })));
    }
    return found;
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** @param visited folders by their real paths, as links may form a circle */
async function manifestsBelow(folder: string, visited: Set<string>): Promise<string[]> {
  const real = await realpath(folder);
  if (visited.has(real)) return [];
  visited.add(real);
  const files: string[] = [];
  const names = (await readdir(folder)).sort();
  for (const name of names.filter((one) => !one.startsWith(".") && !otherFolders.has(one))) {
    const path = join(folder, name);
    // A link may lead nowhere.
    const target = await stat(path).catch(() => undefined);
    if (target?.isDirectory() === true) files.push(...(await manifestsBelow(path, visited)));
    else if (target?.isFile() === true && name.endsWith(".pp")) files.push(path);
  }
  return files;
}
