import type { Loaded } from "../data/use-data.ts";
import { useQuery } from "../data/use-query.ts";
import { query } from "../pql/text.ts";
import { outcomeColumns, outcomeOf, type OutcomeRow } from "#storage/states/node-state.ts";
import { isInactive, type NodeRow, ofNode } from "./use-node.ts";

/** A run of a node. Times are ISO texts. */
export interface Run extends OutcomeRow {
  readonly hash: string;
  readonly transaction_uuid: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly puppet_version: string | null;
  readonly producer: string | null;
  readonly configuration_version: string | null;
}

/** For how long runs have gone as the last one did; undefined for one run. @param runs newest first */
export function streakOf(runs: readonly Run[]): { readonly runs: number; readonly since: string } | undefined {
  const [newest] = runs;
  if (newest === undefined) return undefined;
  const state = outcomeOf(newest);
  const other = runs.findIndex((run) => outcomeOf(run) !== state);
  const length = other === -1 ? runs.length : other;
  const since = runs[length - 1]?.end_time;
  return length < 2 || since === null || since === undefined ? undefined : { runs: length, since };
}

/** The value in the middle; undefined for none. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
}

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
