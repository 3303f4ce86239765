import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { type NodeRow, nodeFields } from "../nodes/node-row.ts";
import { and, literal, query } from "../pql/text.ts";

/** A node, whether it is active or not; the first row is undefined when there is none of this name. */
export function useNode(certname: string): Loaded<readonly NodeRow[]> {
  return useQuery<NodeRow>({
    name: "The node",
    pql: query("nodes", { select: nodeFields, where: ofNode(certname, { isInactive: true }) }),
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
