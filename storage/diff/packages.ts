import type { JsonObject } from "../json.ts";
import { versionKey } from "../package-versions/version-key.ts";
import { compareValues, type ValueChange } from "./values.ts";

/** An installed package. */
export interface InstalledPackage {
  readonly package_name: string;
  readonly provider: string;
  readonly version: string;
}

/** Fields of `package_inventory` that a comparison needs. */
export const packageFields = ["package_name", "provider", "version"] as const;

/** All packages that differ. Paths are provider and name. */
export function comparePackages(from: readonly InstalledPackage[], to: readonly InstalledPackage[]): ValueChange[] {
  const [before, after] = [from, to].map((packages) => Map.groupBy(packages, ({ provider }) => provider));
  const providers = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])].sort();
  return providers.flatMap((provider) =>
    compareValues(versionsOf(before?.get(provider)), versionsOf(after?.get(provider)), [provider]),
  );
}

/** Versions by name; several versions of one package are one text, in their order. */
function versionsOf(packages: readonly InstalledPackage[] = []): JsonObject {
  return Object.fromEntries(
    [...Map.groupBy(packages, ({ package_name: name }) => name)].map(([name, installed]) => [
      name,
      installed
        .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
        .map(({ version }) => version)
        .join(", "),
    ]),
  );
}

function keyOf({ version, provider }: InstalledPackage): string {
  return versionKey(version, provider);
}

/** `openssl (dpkg)`: a package for people. */
export function packageText({ path: [provider, name] }: ValueChange): string {
  return `${String(name)} (${String(provider)})`;
}
