import type { Timestamp } from "../time.ts";
import { type Difference, differences, type State } from "./differences.ts";

/** A recorded change of a node. */
export interface RecordedChange extends Difference {
  readonly row: bigint;
  readonly changed: Timestamp;
  readonly transaction: string | null;
}

/** A change to be recorded of a node. */
export type NewChange = Omit<RecordedChange, "row">;

/** A document that is older than the stored one, and what is next to it. */
export interface LateDocument {
  readonly at: Timestamp;
  readonly transaction: string | null;
  /** What it contains. */
  readonly content: State;
  /** When the document after it was produced. */
  readonly next: Timestamp;
  readonly nextTransaction: string | null;
  /** Whether no document is before it: then what it contains is no change. */
  readonly isFirst: boolean;
}

/** How the recorded changes of a node become those of an undisturbed order. */
export interface Insertion {
  readonly deleted: readonly bigint[];
  readonly added: readonly NewChange[];
}

/** What a node had before some changes, which are in the order of time. */
export function undone(present: State, changes: readonly Difference[]): State {
  const state = new Map(present);
  for (const { name, before } of changes.toReversed()) {
    if (before === undefined) state.delete(name);
    else state.set(name, before);
  }
  return state;
}

/**
 * Inserts a late document between its neighbours: a change to it at its time, and one from it at the time of the next.
 * @param present what the node has now
 * @param later its changes after the time of the document, in the order of time
 */
export function insertion(present: State, later: readonly RecordedChange[], document: LateDocument): Insertion {
  const { at, transaction, content, next, nextTransaction, isFirst } = document;
  const changed = differences(undone(present, later), content);
  const ofNext = Map.groupBy(
    later.filter((change) => change.changed === next),
    ({ name }) => name,
  );
  const deleted: bigint[] = [];
  const added: NewChange[] = [];
  for (const difference of changed) {
    const { name, before, after } = difference;
    if (!isFirst) added.push({ ...difference, changed: at, transaction });
    const [first, ...others] = ofNext.get(name) ?? [];
    if (first === undefined) {
      added.push({ name, before: after, after: before, changed: next, transaction: nextTransaction });
      continue;
    }
    // Written again, so that they remain in their order.
    deleted.push(first.row, ...others.map(({ row }) => row));
    if (first.after !== after) added.push({ ...first, before: after });
    added.push(...others);
  }
  return { deleted, added };
}
