import type { Json, JsonObject } from "../json.ts";
import { compareValues, pathText, type ValueChange } from "./values.ts";

/** The compared fields of a resource; absent ones are not compared. */
export interface Resource {
  readonly type: string;
  readonly title: string;
  readonly parameters: JsonObject;
  readonly exported: boolean;
  readonly tags?: readonly string[];
  readonly file?: string | null;
  readonly line?: Json;
}

/** A resource that only one of two catalogs has, or that differs. Paths begin with the resource's field. */
export type ResourceChange =
  | { readonly kind: "added"; readonly type: string; readonly title: string; readonly to: Resource }
  | { readonly kind: "removed"; readonly type: string; readonly title: string; readonly from: Resource }
  | {
      readonly kind: "changed";
      readonly type: string;
      readonly title: string;
      readonly changes: readonly ValueChange[];
    };

/** An edge of a catalog, in the fields of the `edges` entity. */
export interface Edge {
  readonly source_type: string;
  readonly source_title: string;
  readonly target_type: string;
  readonly target_title: string;
  readonly relationship: string;
}

/** An edge that only one of two catalogs has. */
export interface EdgeChange {
  readonly kind: "added" | "removed";
  readonly edge: Edge;
}

/** Compares the resources of two catalogs by type and title, in that order. */
export function compareResources(from: readonly Resource[], to: readonly Resource[]): ResourceChange[] {
  const [before, after] = [byName(from), byName(to)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => compareResource(before.get(name), after.get(name)));
}

function byName(resources: readonly Resource[]): Map<string, Resource> {
  return new Map(resources.map((resource) => [resourceText(resource), resource]));
}

function compareResource(from: Resource | undefined, to: Resource | undefined): ResourceChange[] {
  if (from === undefined) return to === undefined ? [] : [{ kind: "added", type: to.type, title: to.title, to }];
  const { type, title } = from;
  if (to === undefined) return [{ kind: "removed", type, title, from }];
  const changes = [
    ...compareValues(from.parameters, to.parameters, ["parameters"]),
    ...compareValues(from.exported, to.exported, ["exported"]),
    ...compareValues(from.file, to.file, ["file"]),
    ...compareValues(from.line, to.line, ["line"]),
    ...compareTags(from.tags, to.tags),
  ];
  return changes.length === 0 ? [] : [{ kind: "changed", type, title, changes }];
}

/** Tags are a set: their order does not matter, and they are compared as one value. */
function compareTags(from: readonly string[] = [], to: readonly string[] = []): ValueChange[] {
  const [before, after] = [[...new Set(from)].sort(), [...new Set(to)].sort()];
  const isSame = before.length === after.length && before.every((tag, index) => tag === after[index]);
  return isSame ? [] : [{ kind: "changed", path: ["tags"], from: before, to: after }];
}

/** Compares the edges of two catalogs: an edge is its two ends and its relationship. */
export function compareEdges(from: readonly Edge[], to: readonly Edge[]): EdgeChange[] {
  const [before, after] = [byText(from), byText(to)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((text): EdgeChange[] => {
    const [old, young] = [before.get(text), after.get(text)];
    if (old === undefined && young !== undefined) return [{ kind: "added", edge: young }];
    return old !== undefined && young === undefined ? [{ kind: "removed", edge: old }] : [];
  });
}

function byText(edges: readonly Edge[]): Map<string, Edge> {
  return new Map(edges.map((edge) => [edgeText(edge), edge]));
}

/** `File[/etc/motd]`: a resource for people and for patterns. */
export function resourceText({ type, title }: { readonly type: string; readonly title: string }): string {
  return `${type}[${title}]`;
}

/** `Class[Motd] contains File[/etc/motd]`: an edge for people and for patterns. */
export function edgeText(edge: Edge): string {
  const source = resourceText({ type: edge.source_type, title: edge.source_title });
  const target = resourceText({ type: edge.target_type, title: edge.target_title });
  return `${source} ${edge.relationship} ${target}`;
}

/** `File[/etc/motd]::mode`: a place in a resource for people and for patterns; parameters are named alone. */
export function resourcePlaceText(resource: { readonly type: string; readonly title: string }, change: ValueChange) {
  return `${resourceText(resource)}::${fieldText(change)}`;
}

/** The place of a change inside its resource: a parameter's name, or a field such as `tags`. */
export function fieldText({ path }: ValueChange): string {
  return pathText(path[0] === "parameters" ? path.slice(1) : path);
}
