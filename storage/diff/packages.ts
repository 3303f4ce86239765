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
  return compareValues(versionsOf(from), versionsOf(to));
}

/** Versions by provider and name; several versions of one package are one text, in their order. */
function versionsOf(packages: readonly InstalledPackage[]): JsonObject {
  const byProvider = Map.groupBy(packages, ({ provider }) => provider);
  return Object.fromEntries(
    [...byProvider].map(([provider, own]) => [
      provider,
      Object.fromEntries(
        [...Map.groupBy(own, ({ package_name: name }) => name)].map(([name, installed]) => [
          name,
          installed
            .map(({ version }) => version)
            .sort((one, other) => (versionKey(one, provider) < versionKey(other, provider) ? -1 : 1))
            .join(", "),
        ]),
      ),
    ]),
  );
}
