import { type Json, type JsonObject, stringifyJson } from "#storage/json.ts";
import { pathText } from "#storage/diff/values.ts";
import { visibilityOf, volatilePatterns } from "#storage/diff/visibility.ts";
import type { TraitKind } from "#storage/traits/trait.ts";

/** The rows of plain queries that traits are found in. */
export interface PlainRows {
  readonly nodes: readonly JsonObject[];
  readonly catalogs: readonly JsonObject[];
  readonly factsets: readonly JsonObject[];
  readonly facts: readonly JsonObject[];
  readonly classes: readonly JsonObject[];
  readonly packages: readonly JsonObject[];
}

/** The node of a row. */
export function nodeOf({ certname }: JsonObject): string {
  return typeof certname === "string" ? certname : "";
}

/** A difference as one text, with the counts. */
export interface PlainDifference {
  readonly trait: string;
  readonly selected: number;
  readonly rest: number;
}

/** What a node has at a path; a package may be there in several versions. */
type Having = Map<string, Map<string, Set<string>>>;

const isVolatile = visibilityOf([], volatilePatterns);

/** What sets nodes apart, computed from the rows of plain queries. */
export function differencesInTypeScript(
  rows: PlainRows,
  selected: ReadonlySet<string>,
  baseline: ReadonlySet<string>,
): PlainDifference[] {
  const rest = new Set([...baseline].filter((node) => !selected.has(node)));
  if (selected.size === 0 || rest.size === 0) return [];
  return [...havingOf(rows)].flatMap(([place, nodes]) => {
    const { kind, path } = JSON.parse(place) as { kind: TraitKind; path: (string | number)[] };
    const present = [...nodes].filter(([node]) => selected.has(node) || rest.has(node));
    const values = new Set(present.flatMap(([, own]) => [...own]));
    const isOwn = kind === "fact" && present.length >= 5 && values.size >= 0.9 * present.length;
    if (kind === "fact" && isVolatile("facts", pathText(path)) === "volatile") return [];
    const candidates = [...(isOwn ? [] : values), undefined];
    return candidates.flatMap((value): PlainDifference[] => {
      if (value !== undefined && kind === "fact" && value.length > 1024) return [];
      const has = (node: string): boolean => {
        const own = nodes.get(node);
        return value === undefined ? own === undefined : own?.has(value) === true;
      };
      const [own, others] = [[...selected].filter(has).length, [...rest].filter(has).length];
      if (own === 0 || 2 * own < selected.size) return [];
      const score = own / selected.size - others / rest.size;
      if (Math.abs(score) <= 0.2) return [];
      return [{ trait: `${place} ${value ?? "none"}`, selected: own, rest: others }];
    });
  });
}

function havingOf({ nodes, catalogs, factsets, facts, classes, packages }: PlainRows): Having {
  const having: Having = new Map();
  const add = (row: JsonObject, kind: TraitKind, path: Json[], value: Json): void => {
    const place = JSON.stringify({ kind, path });
    const of = having.get(place) ?? new Map<string, Set<string>>();
    having.set(place, of);
    of.set(nodeOf(row), (of.get(nodeOf(row)) ?? new Set()).add(stringifyJson(value)));
  };
  const producers = new Map([...factsets, ...catalogs].map((row) => [row["certname"], row["producer"] ?? null]));
  for (const row of nodes) {
    const environment = row["report_environment"] ?? row["catalog_environment"] ?? row["facts_environment"] ?? null;
    if (environment !== null) add(row, "environment", [], environment);
    const producer = producers.get(row["certname"] ?? null) ?? null;
    if (producer !== null) add(row, "producer", [], producer);
  }
  for (const row of facts) add(row, "fact", row["path"] as Json[], row["value"] ?? null);
  for (const row of classes) add(row, "class", [row["title"] ?? null], true);
  for (const row of packages) {
    add(row, "package", [row["package_name"] ?? null, row["provider"] ?? null], row["version"] ?? null);
  }
  return having;
}
