import type { Json } from "#storage/json.ts";
import { useMemo } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { and, literal, query } from "../pql/text.ts";
import { type EventGroup, type Grouping, groupKey } from "./groupings.ts";

/** How often each outcome occurs among some events. */
export interface Outcomes {
  readonly failed: number;
  /** Changes that Puppet was meant to make. */
  readonly intended: number;
  /** Changes that undid something done outside of Puppet. */
  readonly drift: number;
  readonly pending: number;
  readonly skipped: number;
}

/** Events of a group with the same outcome; the fields of the group are beside these. */
export interface OutcomeRow {
  readonly status: string;
  readonly corrective_change: boolean | null;
  readonly count: number;
  readonly [field: string]: Json;
}

const none: Outcomes = { failed: 0, intended: 0, drift: 0, pending: 0, skipped: 0 };

const byStatus: Readonly<Record<string, keyof Outcomes>> = {
  failure: "failed",
  success: "intended",
  noop: "pending",
  skipped: "skipped",
};

/** The outcomes of each group, by {@link groupKey}. */
export function outcomesByGroup(rows: readonly OutcomeRow[], fields: readonly string[]): ReadonlyMap<string, Outcomes> {
  const found = new Map<string, Outcomes>();
  for (const row of rows) {
    const outcome = row.status === "success" && row.corrective_change === true ? "drift" : byStatus[row.status];
    if (outcome === undefined) continue;
    const key = groupKey(fields.map((field) => row[field] ?? null));
    const counts = found.get(key) ?? none;
    found.set(key, { ...counts, [outcome]: counts[outcome] + row.count });
  }
  return found;
}

/** Counts the outcomes of some groups. @returns undefined for a group while they are on their way */
export function useOutcomes(
  groups: readonly EventGroup[],
  { fields }: Grouping,
  where: string | undefined,
): (group: EventGroup) => Outcomes | undefined {
  const columns = [...fields, "status", "corrective_change"];
  const named = fields.map(
    (field, at) => `${field} in [${[...new Set(groups.map(({ values }) => literal(values[at] ?? "")))].join(", ")}]`,
  );
  const counted = { select: [...columns, "count()"], groupBy: columns };
  const loaded = useQuery<OutcomeRow>(
    groups.length === 0
      ? undefined
      : {
          name: "Outcomes of the groups that are seen",
          pql: query("events", { ...counted, where: and(where, ...named) }),
        },
  );
  const found = useMemo(() => outcomesByGroup(loaded.value ?? [], fields), [loaded.value, fields]);
  return (group) => found.get(group.key) ?? (loaded.isLoading ? undefined : none);
}
