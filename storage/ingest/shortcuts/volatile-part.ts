import type { VolatilePaths } from "../../history/volatile-facts.ts";
import type { NodeRow } from "../../nodes/columns.ts";
import { hasSpacedFacts } from "../fact-digests.ts";
import type { PreparedFacts } from "../prepared.ts";
import { factRow, factRows, type FactTexts } from "../rows.ts";

/*
 * Most fact sets differ from the one of half an hour ago in volatile facts only: uptime, free memory. Where digests say that the rest
 * is what the node has stored, only the rows of volatile facts are made, sent to the thread that writes and written.
 */

/** Digests of what a fact set has besides its volatile facts (`storage/ingest/fact-digests.ts`). */
export interface SteadyDigests {
  readonly steady: string;
  readonly packages: string;
}

/** Those of the fact set that a node has stored; undefined where they are not known. */
export function storedSteadyDigests(node: NodeRow | undefined): SteadyDigests | undefined {
  const { facts_steady_digest: steady = null, packages_digest: packages = null } = node ?? {};
  return steady === null || packages === null ? undefined : { steady, packages };
}

/** Whether a fact set has, besides its volatile facts, what these digests are of. */
export function hasSteadyDigests(
  { steadyDigest, packagesDigest }: Pick<PreparedFacts, "steadyDigest" | "packagesDigest">,
  digests: SteadyDigests | undefined,
): boolean {
  return digests !== undefined && digests.steady === steadyDigest && digests.packages === packagesDigest;
}

/**
 * The rows of the volatile facts among these.
 * @returns undefined where they cannot be replaced without the others: any fact may be volatile, or one is so long that its rows are
 *   kept apart
 */
export function volatilePart(
  facts: readonly FactTexts[],
  volatile: VolatilePaths,
): Pick<PreparedFacts, "part" | "facts" | "leaves" | "structured" | "packages"> | undefined {
  if (volatile.names === undefined) return undefined;
  const candidates = facts.filter(({ name }) => volatile.mayHave(name));
  if (hasSpacedFacts(candidates.map(factRow), volatile)) return undefined;
  return { part: "volatile", ...factRows(candidates, (path) => volatile.has(path)), packages: [] };
}
