import { isOlder } from "#storage/package-versions/older.ts";
import { versionKey } from "#storage/package-versions/version-key.ts";
import { and, inEnvironment, literal, or, query } from "../pql/text.ts";

/** A version of a package, and on how many nodes it is installed. */
export interface VersionCount {
  readonly package_name: string;
  readonly provider: string;
  readonly version: string;
  readonly count: number;
}

/** A package of a provider with its versions: only those of one provider can be compared. */
export interface PackageVersions {
  readonly name: string;
  readonly provider: string;
  /** The newest first. */
  readonly versions: readonly VersionCount[];
  /** Installations: a node with two versions counts twice. */
  readonly installed: number;
  /** Installations of other versions than the newest. */
  readonly behind: number;
}

/** The versions of each package, in the order of its provider's own tool; packages on the most nodes first. */
export function packagesOf(rows: readonly VersionCount[]): readonly PackageVersions[] {
  const groups = Map.groupBy(rows, ({ package_name: name, provider }) => JSON.stringify([name, provider]));
  const packages = [...groups.values()].flatMap((own) => {
    const versions = newestFirst(own);
    const [newest] = versions;
    if (newest === undefined) return [];
    const installed = versions.reduce((sum, { count }) => sum + count, 0);
    const { package_name: name, provider } = newest;
    // Versions that are spelled differently may be equal, as 1.0 and 1.00 are for dpkg.
    const behind = versions
      .filter(({ version }) => versionKey(version, provider) < versionKey(newest.version, provider))
      .reduce((sum, { count }) => sum + count, 0);
    return [{ name, provider, versions, installed, behind }];
  });
  return packages.sort((one, other) => other.installed - one.installed);
}

function newestFirst(rows: readonly VersionCount[]): readonly VersionCount[] {
  return rows
    .map((row) => ({ row, key: versionKey(row.version, row.provider) }))
    .sort((one, other) => compare(other.key, one.key) || compare(other.row.version, one.row.version))
    .map(({ row }) => row);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The versions of a package that are older than one that somebody names. */
export function olderVersions({ versions, provider }: PackageVersions, than: string): readonly string[] {
  return versions.flatMap(({ version }) => (isOlder(version, than, provider) ? [version] : []));
}

/** The condition that limits packages to an environment. Packages have none: that of their nodes counts. */
export function packagesInEnvironment(environment: string | undefined): string | undefined {
  const nodes = inEnvironment("nodes", environment);
  return nodes === undefined ? undefined : `certname in nodes[certname]{ ${nodes} }`;
}

/** The versions of packages with the number of nodes that have each. */
export function versionsPql(where: string | undefined): string {
  const columns = ["package_name", "provider", "version"];
  return query("package_inventory", { select: [...columns, "count()"], where, groupBy: columns });
}

/** Versions of a package by provider. */
export type ChosenVersions = readonly { readonly provider: string; readonly versions: readonly string[] }[];

/** The condition on `package_inventory` for versions of a package. */
export function versionsCondition(name: string, chosen: ChosenVersions): string {
  const own = chosen.map(({ provider, versions }) =>
    and(`provider = ${literal(provider)}`, `version in [${versions.map((version) => literal(version)).join(", ")}]`),
  );
  return and(`package_name = ${literal(name)}`, or(...own)) ?? "";
}
