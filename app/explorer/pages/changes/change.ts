import type { Json } from "#storage/json.ts";
import { and, literal, query } from "../pql/text.ts";
import { about } from "../data/about.ts";
import { useQuery } from "../data/use-query.ts";

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

/** The newest changes of a kind on a node until a time, by default until now, in PQL. */
export function changesPql(kind: ChangeKind, certname: string, limit: number, until: Date | undefined): string {
  const { entity, select } = entities[kind];
  const where = and(
    `certname = ${literal(certname)} and node_state = "any"`,
    kind === "node" ? shownOfNodes : undefined,
    until === undefined ? undefined : `from < ${literal(until)}`,
  );
  return query(entity, { select, where, orderBy: ["from desc"], limit });
}

/** A fact or package on a node. */
interface OnNode {
  readonly certname: string;
  /** Of a package. */
  readonly provider?: string;
}

/** A thing of nodes, by the field `what` of the entity of its changes. */
export interface ChangedThing {
  readonly entity: "fact_changes" | "package_changes";
  readonly what: string;
}

/** Since when it is as it is on a node. @returns null: nothing changed in the recorded time; undefined: not known yet */
export type SinceOf = (row: OnNode) => string | null | undefined;

/**
 * Since when a fact or package is as it is on the nodes that are shown.
 * @returns undefined where no changes are recorded
 */
export function useSince({ entity, what }: ChangedThing, certnames: readonly string[]): SinceOf | undefined {
  const isRecorded = about.value?.history != null;
  const { value = [], isLoading } = useQuery<OnNode & { readonly from: string }>(
    isRecorded && certnames.length > 0
      ? {
          name: "Since when it is so on the nodes shown",
          pql: query(entity, {
            select: ["certname", "from", ...(entity === "package_changes" ? ["provider"] : [])],
            where: `what = ${literal(what)} and until is null and certname in [${certnames.map((name) => literal(name)).join(", ")}]`,
          }),
        }
      : undefined,
  );
  const times = new Map(value.map((row) => [keyOf(row), row.from]));
  return isRecorded ? (row) => times.get(keyOf(row)) ?? (isLoading ? undefined : null) : undefined;
}

function keyOf({ certname, provider = "" }: OnNode): string {
  return `${certname}\n${provider}`;
}
