import { about } from "../data/about.ts";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";

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
