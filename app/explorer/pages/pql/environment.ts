import { and, literal, or } from "./text.ts";

/**
 * The condition that limits an entity to an environment; undefined for all environments. Nodes have one environment each for
 * report, catalog and facts: the report's counts, and without report that of the catalog or the facts.
 */
export function inEnvironment(entity: string, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const is = (field: string): string => `${field} = ${literal(name)}`;
  const none = (field: string): string => `${field} is null`;
  if (entity !== "nodes") return is("environment");
  return or(
    is("report_environment"),
    and(
      none("report_environment"),
      or(is("catalog_environment"), and(none("catalog_environment"), is("facts_environment"))),
    ),
  );
}
