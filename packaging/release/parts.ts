import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockedPackage, packageFolder } from "../executable/packages.ts";
import { root } from "../executable/places.ts";
import type { Target } from "../executable/targets.ts";

/** A package of the registry that is part of an executable. */
export interface Part {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier, e.g. `MIT`. */
  readonly licence: string;
  /** Where its files are. */
  readonly folder: string;
}

/**
 * The parts of an executable besides our code, by name: bundled packages, the engine's library, Node.
 * @param bundled the directories of the bundled packages, relative to the project
 */
export async function partsOf(target: Target, bundled: readonly string[]): Promise<Part[]> {
  const folders = [
    ...bundled.map((folder) => join(root, folder)),
    await packageFolder(lockedPackage(target.bindings)),
    await packageFolder(target.node),
  ];
  const parts = folders.map(partIn);
  return parts.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function partIn(folder: string): Part {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  return { name, version, licence: license ?? "unknown", folder };
}
