import { changeId, type RowChanges } from "./row-changes.ts";

/** A change on its way to those who want to know of it. */
export interface Change extends RowChanges {
  /** The same when it is delivered again. */
  readonly id: string;
  /** Counts the changes of a watch from 1. */
  readonly sequence: number;
  /** When it was found, as a timestamp. */
  readonly time: string;
  readonly query: string;
  /** The server or file. */
  readonly source: string;
}

/** @param about what is known besides the rows */
export function changeOf(changes: RowChanges, about: Omit<Change, "id" | keyof RowChanges>): Change {
  return { id: changeId(about.sequence, changes), ...about, ...changes };
}

/** The change as one JSON text. */
export function changeJson({ added, removed, ...about }: Change): string {
  return `${JSON.stringify(about).slice(0, -1)},"added":[${added.join(",")}],"removed":[${removed.join(",")}]}`;
}
