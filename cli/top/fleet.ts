import { mostUrgentFirst, type StateKey, stateKeys } from "#storage/states/node-state.ts";
import type { Place } from "#storage/issues/issue.ts";

/** A node as lists show it. */
export interface FleetNode {
  readonly certname: string;
  readonly state: StateKey;
  readonly environment: string | null;
  /** The time of its latest report. */
  readonly report: string | null;
  /** The hash of its latest report, which changes with every run. */
  readonly hash: string | null;
}

/** Since when something fails. */
export interface Since {
  readonly time: string;
  /** No run before it was good, as far as reports are stored. */
  readonly isOldest: boolean;
}

/** A failure that is the same on all of its nodes. */
export interface Issue {
  readonly id: string;
  /** The resource, or what failed instead of one. */
  readonly what: string;
  /** The message of one of its nodes, as it was sent. */
  readonly message: string;
  /** A node with this message. */
  readonly sample: string;
  readonly place: Place | null;
  readonly class: string | null;
  /** The earliest of its nodes. */
  readonly since: Since | null;
  readonly nodes: readonly { readonly certname: string; readonly since: Since | null }[];
}

/** All nodes of a source, and what fails on them, at one time. */
export interface Fleet {
  /** The time of the source. */
  readonly now: Date;
  readonly nodes: readonly FleetNode[];
  /** Those on most nodes first. */
  readonly issues: readonly Issue[];
}

/** How many nodes are in each state. */
export function countsOf({ nodes }: Fleet): readonly { readonly state: StateKey; readonly count: number }[] {
  const counts = new Map<StateKey, number>(stateKeys.map((key) => [key, 0]));
  for (const { state } of nodes) counts.set(state, (counts.get(state) ?? 0) + 1);
  return mostUrgentFirst.map((state) => ({ state, count: counts.get(state) ?? 0 })).filter(({ count }) => count > 0);
}
