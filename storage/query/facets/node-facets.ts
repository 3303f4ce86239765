import type { FacetSelection, FieldFilter } from "../compile/facets.ts";
import type { NodeColumn } from "../compile/node-columns.ts";
import type { Entity } from "../entities/index.ts";
import type { Condition, Selection } from "../tree.ts";
import type { Facets } from "./facets.ts";
import type { FacetField } from "./field.ts";
import { facetOf, type Group } from "./groups.ts";
import type { NodeValues } from "./node-columns.ts";

/** Conditions that depend only on the node's own rows, and not on the time. */
const ofNodeAlone: ReadonlySet<Condition["kind"]> = new Set([
  "and",
  "or",
  "not",
  "constant",
  "known",
  "compare",
  "text",
  "null",
  "one-of",
  "part",
  "path",
]);

/** The facets that are counted from columns. */
export interface NodeFacets {
  readonly entity: Entity;
  readonly columns: readonly NodeColumn[];
  /** @param values of the columns */
  count(values: readonly NodeValues[]): Facets;
}

/**
 * Counts facets of nodes from columns in memory, with the same results as the statement that counts them in the engine.
 * @returns undefined if only the engine can count them
 */
export function nodeFacets(wanted: FacetSelection): NodeFacets | undefined {
  const { rows, facets, filters, limit, like, per, distinct } = wanted;
  const isPlain = rows.entity.alias === "nodes" && rows.entity.always === undefined;
  if (!isPlain || like !== undefined || per !== undefined || distinct !== undefined) return undefined;
  const fields = [...new Map(facets.flat().map((field) => [field.name, field])).values()];
  if (!fields.every(isKeptField) || !filters.every(isKeptFilter)) return undefined;
  if (rows.where !== null && !isOfNodeAlone(rows.where)) return undefined;
  // The engine is as fast for the other facets.
  if (!fields.some(({ kind }) => kind === "part") && !filters.some(({ leaves }) => isOfParts(leaves))) return undefined;
  const places = new Map(fields.map(({ name }, place) => [name, place]));
  const filtersAt = fields.length;
  const columns: NodeColumn[] = [
    ...fields.map((field): NodeColumn => ({ kind: "value", field })),
    ...filters.map(({ leaves }): NodeColumn => ({ kind: "filter", leaves })),
    { kind: "condition", where: rows.where ?? { kind: "constant", value: true } },
  ];
  return {
    entity: rows.entity,
    columns,
    count: (values) => {
      const meets = (id: number, without: readonly string[]): boolean =>
        typeof values.at(-1)?.[id] === "string" &&
        filters.every(
          ({ field }, place) => without.includes(field) || typeof values[filtersAt + place]?.[id] === "string",
        );
      const ids = Array.from({ length: values.at(-1)?.length ?? 0 }, (_, id) => id);
      return {
        total: ids.filter((id) => meets(id, [])).length,
        facets: facets.map((own) => {
          const names = own.map(({ name }) => name);
          const found = ids.filter((id) => meets(id, names));
          const of = names.map((name) => values[places.get(name) ?? -1] ?? []);
          return facetOf(own, groupsOf(found, of), limit);
        }),
      };
    },
  };
}

/**
 * The column that marks the active nodes.
 * @returns undefined if a query selects anything else
 */
export function activeNodes({ entity, where }: Selection): Pick<NodeFacets, "entity" | "columns"> | undefined {
  const isActive = where?.kind === "node-state" && where.state === "active";
  if (entity.alias !== "nodes" || entity.always !== undefined || !isActive) return undefined;
  return { entity, columns: [{ kind: "condition", where }] };
}

function groupsOf(ids: readonly number[], columns: readonly NodeValues[]): Group[] {
  const groups = new Map<string, Group & { count: number }>();
  for (const id of ids) {
    const texts = columns.map((column) => column[id] ?? null);
    const key = texts.length === 1 ? `${texts[0] === null ? "n" : "s"}${texts[0]}` : JSON.stringify(texts);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { texts, count: 1 });
    else group.count++;
  }
  return [...groups.values()];
}

/** Whether comparing the texts of the field's values is comparing the values, and each node has one value. */
export function isKeptField(field: FacetField): boolean {
  if (field.kind === "cases") return field.cases.every(({ when }) => when === undefined || isOfNodeAlone(when));
  if (field.kind === "part") return true;
  const { type, serialized } = field.ref.field;
  return (type === "string" || type === "boolean") && serialized !== true;
}

function isKeptFilter({ leaves }: FieldFilter): boolean {
  return "cases" in leaves ? isKeptField(leaves.of) : isOfNodeAlone(leaves);
}

function isOfParts(leaves: FieldFilter["leaves"]): boolean {
  if ("cases" in leaves) return false;
  if (leaves.kind === "and" || leaves.kind === "or") return leaves.clauses.some(isOfParts);
  return leaves.kind === "not" || leaves.kind === "known" ? isOfParts(leaves.clause) : leaves.kind === "part";
}

export function isOfNodeAlone(condition: Condition): boolean {
  if (condition.kind === "and" || condition.kind === "or") return condition.clauses.every(isOfNodeAlone);
  if (condition.kind === "not" || condition.kind === "known") return isOfNodeAlone(condition.clause);
  return condition.kind === "node-state" ? condition.state === "active" : ofNodeAlone.has(condition.kind);
}
