import { type FacetSelection, type FieldFilter, fixedFields } from "../compile/facets.ts";
import type { NodeColumn, RowsOfNodes } from "../compile/node-columns.ts";
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
  readonly rows: RowsOfNodes;
  readonly columns: readonly NodeColumn[];
  /** @param values of the columns */
  count(values: readonly NodeValues[]): Facets;
}

/**
 * Counts facets of nodes, or of one resource on all nodes, from columns in memory, with the same results as the statement that counts them in the
 * engine.
 * @returns undefined if only the engine can count them
 */
export function nodeFacets(wanted: FacetSelection): NodeFacets | undefined {
  const { rows, facets, filters, limit, like, per, distinct } = wanted;
  const isOfNodes = rows.entity.alias === "nodes" && rows.entity.always === undefined;
  if (!(isOfNodes || isOneResource(rows)) || like !== undefined || per !== undefined || distinct !== undefined)
    return undefined;
  const fields = [...new Map(facets.flat().map((field) => [field.name, field])).values()];
  if (!fields.every(isKeptField) || !filters.every(isKeptFilter)) return undefined;
  if (rows.where !== null && !isOfNodeAlone(rows.where)) return undefined;
  // The engine is as fast for other facets of nodes.
  const hasParts = fields.some(({ kind }) => kind === "part") || filters.some(({ leaves }) => isOfParts(leaves));
  if (isOfNodes && !hasParts) return undefined;
  const places = new Map(fields.map(({ name }, place) => [name, place]));
  const filtersAt = fields.length;
  const columns: NodeColumn[] = [
    ...fields.map((field): NodeColumn => ({ kind: "value", field })),
    ...filters.map(({ leaves }): NodeColumn => ({ kind: "filter", leaves })),
    { kind: "condition", where: (isOfNodes ? rows.where : null) ?? { kind: "constant", value: true } },
  ];
  return {
    rows: { entity: rows.entity, where: isOfNodes ? null : rows.where },
    columns,
    count: (values) => {
      const meets = (id: number, without: readonly string[]): boolean =>
        typeof values.at(-1)?.[id] === "string" &&
        filters.every(
          ({ field }, place) => without.includes(field) || typeof values[filtersAt + place]?.[id] === "string",
        );
      const ids = Array.from({ length: values.at(-1)?.length ?? 0 }, (_, id) => id);
      const all = ids.filter((id) => meets(id, []));
      return {
        total: all.length,
        facets: facets.map((own) => {
          const names = own.map(({ name }) => name);
          const isFiltered = filters.some(({ field }) => names.includes(field));
          const found = isFiltered ? ids.filter((id) => meets(id, names)) : all;
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
export function activeNodes({ entity, where }: Selection): Pick<NodeFacets, "rows" | "columns"> | undefined {
  const isActive = where?.kind === "node-state" && where.state === "active";
  if (entity.alias !== "nodes" || entity.always !== undefined || !isActive) return undefined;
  return { rows: { entity, where: null }, columns: [{ kind: "condition", where }] };
}

/** Whether each node has one row at most. */
function isOneResource({ entity, where }: Selection): boolean {
  const fixed = new Set(["certname", ...fixedFields(where)]);
  return entity.alias === "resources" && entity.unique?.every((name) => fixed.has(name)) === true;
}

interface Counted {
  readonly texts: readonly (string | null)[];
  count: number;
}

/** Groups by the text of a column, then by that of the next one: texts are shared, and joining them would take longer. */
type Level = Map<string | null, Level | Counted>;

function groupsOf(ids: readonly number[], columns: readonly NodeValues[]): Group[] {
  const root: Level = new Map();
  const groups: Counted[] = [];
  for (const id of ids) {
    let level = root;
    for (const [index, column] of columns.entries()) {
      const text = column[id] ?? null;
      const found = level.get(text);
      if (index < columns.length - 1) {
        const next: Level = found instanceof Map ? found : new Map();
        if (found === undefined) level.set(text, next);
        level = next;
      } else if (found === undefined || found instanceof Map) {
        const group: Counted = { texts: columns.map((each) => each[id] ?? null), count: 1 };
        level.set(text, group);
        groups.push(group);
      } else {
        found.count++;
      }
    }
  }
  return groups;
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
