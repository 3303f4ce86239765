import { isNumber, type Json, numberText, stringifyJson } from "#storage/json.ts";
import type { FactPath } from "../pql/fact-path.ts";
import { literal, query } from "../pql/text.ts";

/** How common a fact's value is. */
export interface FleetShare {
  /** Nodes with this value. */
  readonly same: number;
  /** Nodes with the fact, and the number of its different values. */
  readonly nodes: number;
  readonly values: number;
}

/** A scalar in the facts of a node. */
export interface Leaf {
  readonly path: FactPath;
  readonly value: Json;
}

/** The query that counts nodes with the same values as these leaves. */
export function sharesPql(leaves: readonly Leaf[]): string {
  const conditions = leaves.map(
    ({ path, value }) => `(path = ${stringifyJson([...path])} and ${valueCondition(value)})`,
  );
  return query("fact_contents", {
    select: ["path", "value", "count()"],
    where: conditions.join(" or "),
    groupBy: ["path", "value"],
  });
}

function valueCondition(value: Json): string {
  if (value === null) return "value is null";
  if (isNumber(value)) return `value = ${numberText(value)}`;
  return `value = ${literal(value as string | boolean)}`;
}

/** A value that is rarer than this among nodes that have few different ones is worth a look. */
const RARE = 0.05;
/** Facts whose values are shared by fewer nodes on average identify nodes: an address, a name. */
const LEAST_SHARED = 4;

/** Whether a value is unusual: few nodes have it, and it is not one that differs on every node. */
export function isRare({ same, nodes, values }: FleetShare): boolean {
  if (nodes < 2 * LEAST_SHARED || values < 2) return false;
  return same / nodes < RARE && nodes / values >= LEAST_SHARED;
}
