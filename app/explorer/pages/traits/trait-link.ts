import { stringifyJson } from "#storage/json.ts";
import type { Trait } from "#storage/traits/trait.ts";
import { href, type Parameters } from "../address/address.ts";
import { type Filter, filtersCodec } from "../facets/filters.ts";
import { lineCondition } from "../filter-line/condition.ts";
import { factField } from "../pql/fact-path.ts";
import { and, literal } from "../pql/text.ts";

/** What nodes are filtered by already. */
export interface ListFilters {
  readonly line: string;
  readonly filters: readonly Filter[];
}

/** Nodes that have a trait, of those that are filtered already; undefined where no query can say it. */
export function traitHref(trait: Trait, present: ListFilters): string | undefined {
  const added = addedBy(trait);
  if (added === undefined) return undefined;
  const { filter, condition, environment } = added;
  const kept = present.filters.filter(({ field }) => field !== filter?.field);
  const line = condition === undefined ? present.line : (and(lineCondition(present.line, "certname"), condition) ?? "");
  const parameters: Parameters = {
    f: filtersCodec.write(filter === undefined ? kept : [...kept, filter]),
    q: line === "" ? undefined : line,
    ...(environment === undefined ? {} : { env: environment }),
  };
  return href("nodes", [], parameters);
}

interface Added {
  readonly filter?: Filter;
  /** A condition on nodes. */
  readonly condition?: string;
  readonly environment?: string;
}

/** What the list of nodes is filtered by for a trait. */
export function addedBy({ kind, path, value }: Trait): Added | undefined {
  const [first = "", second = ""] = path.map(String);
  switch (kind) {
    case "environment":
      return typeof value === "string" ? { environment: value } : { condition: "report_environment is null" };
    case "producer":
      return {
        filter: { field: "catalogs.producer", value: typeof value === "string" ? value : null, excludes: false },
      };
    case "class": {
      const condition = `resources{ type = "Class" and title = ${literal(first)} }`;
      return { condition: value === undefined ? `!${condition}` : condition };
    }
    case "package": {
      const version = value === undefined ? undefined : `version = ${stringifyJson(value)}`;
      const own = and(`package_name = ${literal(first)}`, `provider = ${literal(second)}`, version) ?? "";
      const condition = `certname in package_inventory[certname]{ ${own} }`;
      return { condition: value === undefined ? `!(${condition})` : condition };
    }
    case "fact": {
      const field = factField(path);
      // Values of paths are scalars.
      if (field === undefined || (typeof value === "object" && value !== null && !("rawJSON" in value)))
        return undefined;
      return { filter: { field, value: (value ?? null) as Filter["value"], excludes: false } };
    }
  }
}
