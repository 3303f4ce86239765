import { compareBytewise } from "../bytewise.ts";
import { parseJson } from "../json.ts";
import { comparePackages, type InstalledPackage, packageFields } from "./packages.ts";
import { queryOf, type Side } from "./side.ts";
import type { ValueChange } from "./values.ts";

/** The packages of a node. */
interface NodePackages {
  readonly certname: string;
  readonly packages: readonly InstalledPackage[];
}

/** How the packages of a node differ; of one that only one side has, all do. */
export interface PackageChanges {
  readonly certname: string;
  readonly changes: readonly ValueChange[];
}

/** The nodes whose packages differ, in the order of their certnames; both sides are read in that order. */
export async function* differingPackages(from: Side, to: Side): AsyncGenerator<PackageChanges> {
  const [before, after] = [packagesByNode(from), packagesByNode(to)];
  try {
    let [old, now] = await Promise.all([before.next(), after.next()]);
    while (old.done !== true || now.done !== true) {
      const order = orderOf(old, now);
      const [gone, come] = [order <= 0 ? old.value : undefined, order >= 0 ? now.value : undefined];
      const changes = comparePackages(gone?.packages ?? [], come?.packages ?? []);
      if (changes.length > 0) yield { certname: (gone ?? come)?.certname ?? "", changes };
      [old, now] = await Promise.all([order <= 0 ? before.next() : old, order >= 0 ? after.next() : now]);
    }
  } finally {
    await Promise.all([before.return(undefined), after.return(undefined)]);
  }
}

type Head = IteratorResult<NodePackages, undefined>;

/** Below 0: the older side has the next node, above 0: the newer one, 0: both. */
function orderOf(old: Head, now: Head): number {
  if (old.done === true) return 1;
  return now.done === true ? -1 : compareBytewise(old.value.certname, now.value.certname);
}

async function* packagesByNode(side: Side): AsyncGenerator<NodePackages, undefined> {
  let certname: string | undefined;
  let packages: InstalledPackage[] = [];
  for await (const batch of side.query(
    queryOf("package_inventory", ["certname", ...packageFields], undefined, "certname"),
  )) {
    for (const text of batch) {
      const { certname: name, ...installed } = parseJson(text) as unknown as InstalledPackage & { certname: string };
      if (name !== certname) {
        if (certname !== undefined) yield { certname, packages };
        [certname, packages] = [name, []];
      }
      packages.push(installed);
    }
  }
  if (certname !== undefined) yield { certname, packages };
  return undefined;
}
