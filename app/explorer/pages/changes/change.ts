import type { Json } from "#storage/json.ts";
import { literal, query } from "../pql/text.ts";

/** What is recorded of changes; `node` is all of the node and its catalog besides resources. */
export const changeKinds = ["fact", "package", "resource", "node"] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A recorded change as its entity has it. */
export interface ChangeRow {
  readonly what: string;
  readonly change: "added" | "removed" | "changed";
  readonly before: Json;
  readonly after: Json;
  /** When, ISO 8601. */
  readonly from: string;
  /** Of the run. */
  readonly transaction: string | null;
  /** Of a resource. */
  readonly type?: string;
  readonly title?: string;
  /** Of a package. */
  readonly provider?: string;
}

export interface Change extends ChangeRow {
  readonly kind: ChangeKind;
}

/** Labels of what is recorded of a node besides facts, packages and resources; others have their own name. */
export const nodeValueLabels: Readonly<Record<string, string>> = {
  catalog: "first catalog",
  facts: "first facts",
  code_id: "code version",
  facts_environment: "environment of the facts",
  facts_producer: "producer of the facts",
};

const fields = ["what", "change", "before", "after", "from", "transaction"];

const entities: Readonly<Record<ChangeKind, { readonly entity: string; readonly select: readonly string[] }>> = {
  fact: { entity: "fact_changes", select: fields },
  package: { entity: "package_changes", select: [...fields, "provider"] },
  resource: { entity: "resource_changes", select: [...fields, "type", "title"] },
  node: { entity: "catalog_changes", select: fields },
};

/** Edges follow from resources, and each changed catalog has another hash. */
const shownOfNodes = '!(what = "edge") and !(what = "catalog" and change = "changed")';

/** The newest changes of a kind on a node, in PQL. */
export function changesPql(kind: ChangeKind, certname: string, limit: number): string {
  const { entity, select } = entities[kind];
  const own = `certname = ${literal(certname)} and node_state = "any"`;
  const where = kind === "node" ? `${own} and ${shownOfNodes}` : own;
  return query(entity, { select, where, orderBy: ["from desc"], limit });
}
