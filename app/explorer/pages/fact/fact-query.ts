import type { Json } from "#storage/json.ts";
import { stringifyJson } from "#storage/json.ts";
import { href } from "../address/address.ts";
import { writeFilter } from "../facets/filters.ts";
import { factField, type FactPath } from "../pql/fact-path.ts";
import { and, query } from "../pql/text.ts";
import { workbenchHref } from "../pql/workbench-link.ts";

/** The condition on `fact_contents` that selects the values at a path. */
export function atPath(path: FactPath): string {
  return `path = ${JSON.stringify(path)}`;
}

/** The nodes that have a value, null: that lack the fact: on the page of nodes, or where PQL has no field for it, as a query. */
export function nodesHref(path: FactPath, value: Json, where: string | undefined): string {
  const field = factField(path);
  if (
    field !== undefined &&
    (typeof value !== "object" || value === null || Array.isArray(value) || "rawJSON" in value)
  ) {
    return href("nodes", [], { f: writeFilter({ field, value: value as never, excludes: false }) });
  }
  const equals = value === null ? undefined : `value = ${stringifyJson(value)}`;
  return workbenchHref(
    query("fact_contents", { select: ["certname", "value"], where: and(atPath(path), equals, where) }),
  );
}

/** The page of nodes with those whose number is in a range; undefined where PQL has no field for the path. */
export function rangeHref(path: FactPath): ((from: number, to: number, withEnd: boolean) => string) | undefined {
  const field = factField(path);
  if (field === undefined) return undefined;
  return (from, to, withEnd) =>
    href("nodes", [], { q: `inventory{ ${field} >= ${from} and ${field} ${withEnd ? "<=" : "<"} ${to} }` });
}
