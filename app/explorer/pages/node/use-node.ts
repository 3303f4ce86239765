import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { and, literal, query } from "../pql/text.ts";
import type { Json } from "#storage/json.ts";
import { type NodeStateRow, silence, stateFields } from "../state/states.ts";

/** The fields of `nodes` that the table shows. */
export interface NodeRow extends NodeStateRow {
  readonly certname: string;
  readonly report_environment: string | null;
  readonly catalog_environment: string | null;
  readonly facts_environment: string | null;
  readonly catalog_timestamp: string | null;
  readonly facts_timestamp: string | null;
  readonly latest_report_hash: string | null;
  readonly latest_report_noop: boolean | null;
  readonly deactivated: string | null;
  readonly expired: string | null;
}

export const nodeFields = (): readonly (keyof NodeRow)[] => [
  "certname",
  ...stateFields(silence.value),
  "latest_report_noop",
  "latest_report_hash",
  "report_environment",
  "catalog_environment",
  "facts_environment",
  "catalog_timestamp",
  "facts_timestamp",
  "deactivated",
  "expired",
];

/** A row of the table: a node, and the columns that other entities have, such as `facts.os.name` and `events.failure`. */
export type ListedNode = NodeRow & { readonly [column: string]: Json };

/** A node, whether it is active or not; the first row is undefined when there is none of this name. */
export function useNode(certname: string): Loaded<readonly NodeRow[]> {
  return useQuery<NodeRow>({
    name: "The node",
    pql: query("nodes", { select: nodeFields(), where: ofNode(certname, { isInactive: true }) }),
  });
}

/**
 * The condition on any entity of nodes for one node. Rows of inactive nodes are only found when that is said.
 * @param node its deactivation and expiry, when they are known
 */
export function ofNode(certname: string, { isInactive }: { readonly isInactive: boolean }): string {
  return and(`certname = ${literal(certname)}`, isInactive ? 'node_state = "any"' : undefined) ?? "";
}

/** Whether queries leave a node out unless they say otherwise. */
export function isInactive({ deactivated, expired }: Pick<NodeRow, "deactivated" | "expired">): boolean {
  return deactivated !== null || expired !== null;
}
