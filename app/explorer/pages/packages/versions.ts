import { isOlder } from "#storage/package-versions/older.ts";
import { versionKey } from "#storage/package-versions/version-key.ts";
import type { Json } from "#storage/json.ts";
import { type Loaded, useData } from "../data/use-data.ts";
import { MOST_ROWS_IN_MEMORY } from "../table/memory-source.ts";
import { valueText } from "../value/text.ts";
import { and, inEnvironment, literal, or, query } from "../pql/text.ts";

/** A version of a package, and on how many nodes of a release of an operating system it is installed. */
export interface VersionCount {
  readonly package_name: string;
  readonly provider: string;
  readonly version: string;
  readonly "facts.os.name"?: Json;
  readonly "facts.os.release.major"?: Json;
  readonly count: number;
}

/** Versions on nodes with one release of an operating system: another has other versions, whatever the nodes do. */
export interface ReleaseVersions {
  /** "AlmaLinux 9"; empty where the nodes have no such facts. */
  readonly release: string;
  /** The newest first. */
  readonly versions: readonly VersionCount[];
  readonly installed: number;
  /** Installations of versions older than the newest here. */
  readonly behind: number;
}

/** A package of a provider with its versions: only those of one provider can be compared. */
export interface PackageVersions {
  readonly name: string;
  readonly provider: string;
  /** Those of all releases, the newest first. */
  readonly versions: readonly VersionCount[];
  /** Those on the most nodes first. */
  readonly releases: readonly ReleaseVersions[];
  /** Installations: a node with two versions counts twice. */
  readonly installed: number;
  /** Installations of older versions than the newest of the same release. */
  readonly behind: number;
}

/** The versions of each package, in the order of its provider's own tool; packages on the most nodes first. */
export function packagesOf(rows: readonly VersionCount[]): readonly PackageVersions[] {
  const groups = Map.groupBy(rows, ({ package_name: name, provider }) => JSON.stringify([name, provider]));
  const packages = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { package_name: name, provider } = first;
    const releases = [...Map.groupBy(own, releaseOf)]
      .map(([release, some]) => versionsOfRelease(release, some))
      .sort((one, other) => other.installed - one.installed);
    const byVersion = Map.groupBy(own, ({ version }) => version);
    const versions = [...byVersion].map(([version, some]) => ({
      package_name: name,
      provider,
      version,
      count: sum(some, ({ count }) => count),
    }));
    const [installed, behind] = [sum(releases, (one) => one.installed), sum(releases, (one) => one.behind)];
    return [{ name, provider, versions: newestFirst(versions), releases, installed, behind }];
  });
  return packages.sort((one, other) => other.installed - one.installed);
}

function versionsOfRelease(release: string, rows: readonly VersionCount[]): ReleaseVersions {
  const versions = newestFirst(rows);
  // Versions that are spelled differently may be equal, as 1.0 and 1.00 are for dpkg.
  const older = versions.filter((one) => keyOf(one) < keyOf(versions[0] ?? one));
  return { release, versions, installed: sum(rows, ({ count }) => count), behind: sum(older, ({ count }) => count) };
}

/** "AlmaLinux 9" */
function releaseOf(row: VersionCount): string {
  return [row["facts.os.name"] ?? null, row["facts.os.release.major"] ?? null]
    .flatMap((part) => (part === null ? [] : [valueText(part)]))
    .join(" ");
}

function keyOf({ version, provider }: VersionCount): string {
  return versionKey(version, provider);
}

function sum<T>(all: readonly T[], number: (one: T) => number): number {
  return all.reduce((total, one) => total + number(one), 0);
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

/** Fetches the versions of packages with the number of nodes of each release of an operating system that have each. */
export function useVersions(name: string, where: string | undefined): Loaded<readonly VersionCount[]> {
  return useData({
    name,
    pql: versionsPql(where),
    adds: "which tells the releases of operating systems apart",
    path: "/explorer/api/v1/rows",
    parameters: {
      query: query("package_inventory", { where }),
      column: ["package_name", "provider", "version", "facts.os.name", "facts.os.release.major"],
      count: true,
      limit: MOST_ROWS_IN_MEMORY,
      format: "json",
    },
  });
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
