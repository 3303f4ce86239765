import { compareBytewise } from "#storage/bytewise.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { isOlder } from "#storage/package-versions/older.ts";
import { versionKey } from "#storage/package-versions/version-key.ts";
import { UsageError } from "../errors.ts";
import { usedName } from "../names/used-name.ts";
import { membersOf } from "../output/rows.ts";
import { readLimit } from "../sources/paging.ts";
import { sumOf } from "./groups.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, matching, pqlText } from "./pql.ts";
import type { ShortForm } from "./run.ts";

/** What `census packages` takes. */
export interface PackagesArguments extends ShortFormArguments {
  readonly name?: string | undefined;
  readonly "older-than"?: string | undefined;
  readonly provider?: string | undefined;
  readonly count?: boolean | undefined;
}

/** Packages: all with their versions, or the nodes with one. */
export function packagesForm(args: PackagesArguments): ShortForm {
  const { name, provider, count } = args;
  const than = args["older-than"];
  if (name === undefined && (than !== undefined || count === true)) {
    throw new UsageError(`packages: ${than === undefined ? "--count" : "--older-than"} needs NAME`);
  }
  const limit = readLimit(args.limit);
  const isByNode = name !== undefined && count !== true;
  const fields = ["package_name", "provider", "version", ...(isByNode ? ["certname"] : ["count()"])];
  const text = pqlText({
    entity: "package_inventory",
    fields,
    conditions: [matching("package_name", name), equal("provider", provider)],
    order: isByNode ? [] : ["group by package_name, provider, version"],
  });
  const isWanted = (row: JsonObject): boolean =>
    than === undefined || isOlder(cellText(row["version"]), than, cellText(row["provider"]));
  const rows = (found: readonly JsonObject[]): JsonObject[] => {
    const sorted = oldestFirst(found.filter(isWanted));
    return name === undefined ? overview(sorted) : sorted.map(shown);
  };
  // Without a name, a source without packages is said to have none.
  const names = [...usedName("package", name ?? "*"), ...usedName("provider", provider)];
  return { name: "packages", names, query: () => text, fold: { rows, limit } };
}

function shown(row: JsonObject): JsonObject {
  const names = ["certname", "package_name", "version", "provider", "count"];
  return membersOf(row, ...names.filter((name) => row[name] !== undefined));
}

/** One row for each package of a provider. */
function overview(sorted: readonly JsonObject[]): JsonObject[] {
  const groups = Map.groupBy(sorted, (row) => JSON.stringify([row["package_name"], row["provider"]]));
  return [...groups.values()].map((rows) => ({
    ...membersOf(rows[0] ?? {}, "package_name", "provider"),
    versions: rows.length,
    oldest: rows[0]?.["version"] ?? null,
    newest: rows.at(-1)?.["version"] ?? null,
    count: sumOf(rows),
  }));
}

/** By name and provider, as only versions of the same provider can be compared; then by version and node. */
function oldestFirst(rows: readonly JsonObject[]): JsonObject[] {
  return rows
    .map((row) => {
      const [name, provider, version, certname] = [
        row["package_name"],
        row["provider"],
        row["version"],
        row["certname"],
      ];
      const key = versionKey(cellText(version), cellText(provider));
      return { row, keys: [cellText(name), cellText(provider), key, cellText(version), cellText(certname)] };
    })
    .sort((a, b) => a.keys.map((key, index) => compareBytewise(key, b.keys[index] ?? "")).find((by) => by !== 0) ?? 0)
    .map(({ row }) => row);
}
