import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import type { NodeRow } from "../nodes/node-row.ts";
import { query } from "../pql/text.ts";
import { outcomeColumns } from "#storage/states/node-state.ts";
import type { Run } from "./run-times.ts";
import { isInactive, ofNode } from "./use-node.ts";

const columns: readonly (keyof Run)[] = [
  ...outcomeColumns,
  "hash",
  "transaction_uuid",
  "start_time",
  "end_time",
  "puppet_version",
  "producer",
  "configuration_version",
];

/** The last runs of a node, the newest first. */
export function useRuns(node: NodeRow, limit: number): Loaded<readonly Run[]> {
  return useQuery<Run>({
    name: `The last ${limit} runs`,
    pql: query("reports", {
      select: columns,
      where: ofNode(node.certname, { isInactive: isInactive(node) }),
      orderBy: ["producer_timestamp desc"],
      limit,
    }),
  });
}
