import { inEnvironment } from "../pql/environment.ts";
import { and, literal, or, query } from "../pql/text.ts";

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
