import { isOneOf } from "../engine/rows-of-ids.ts";
import type { Transaction } from "../engine/transaction.ts";
import type { Package } from "../hash/hashes.ts";
import { type Difference, differences, type State } from "./differences.ts";

/** Returns the id of a package: name, version, provider. */
export type PackageIds = (tuple: Package) => number;

/** The packages that a node has now, and the ids of those that it had. */
interface Replaced {
  readonly data: { readonly packages: readonly Package[] };
  readonly before: readonly number[];
}

/** The installed versions by name and provider: a JSON list, because there may be several. */
export function versionsOf(packages: readonly Package[]): State {
  const versions = new Map<string, Set<string>>();
  for (const [name, version, provider] of packages) {
    const key = packageKey(name, provider);
    const known = versions.get(key);
    if (known === undefined) versions.set(key, new Set([version]));
    else known.add(version);
  }
  return new Map([...versions].map(([key, all]) => [key, JSON.stringify([...all].sort())]));
}

export function packageKey(name: string, provider: string): string {
  return `${name}\u0001${provider}`;
}

/** Which packages have changed. Only those that came or went are read. */
export async function packageDifferences<T extends Replaced>(
  tx: Transaction,
  all: readonly T[],
  idOf: PackageIds,
): Promise<(readonly [T, Difference[]])[]> {
  const changed = all.flatMap((replaced) => {
    const before = new Set(replaced.before);
    const after = new Set(replaced.data.packages.map(idOf));
    const gone = [...before].filter((id) => !after.has(id));
    const isSame = gone.length === 0 && before.size === after.size;
    return isSame ? [] : [{ replaced, before, gone }];
  });
  const gone = await packagesOf(tx, new Set(changed.flatMap((each) => each.gone)));
  return changed.map(({ replaced, before, gone: ids }) => {
    const present = replaced.data.packages;
    const had: Package[] = present.filter((tuple) => before.has(idOf(tuple)));
    for (const id of ids) had.push(...[gone.get(id)].filter((tuple) => tuple !== undefined));
    return [replaced, differences(versionsOf(had), versionsOf(present))] as const;
  });
}

/** Packages by their ids. */
export async function packagesOf(tx: Transaction, ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Package>> {
  if (ids.size === 0) return new Map();
  const rows = await tx.rows<{ id: number; name: string; version: string; provider: string }>(
    `SELECT id, name, version, provider FROM packages WHERE ${isOneOf("id", [...ids])}`,
  );
  return new Map(rows.map(({ id, name, version, provider }) => [id, [name, version, provider]]));
}
