import type { Json } from "../json.ts";

/** What is recorded of changes; `node` is all of the node and its catalog besides resources. In the order in which equals are listed. */
export const precedingKinds = ["node", "resource", "package", "fact"] as const;

export type PrecedingKind = (typeof precedingKinds)[number];

/** A change that nodes had before they failed, and that others had not. */
export interface PrecedingChange {
  readonly kind: PrecedingKind;
  /** Of a fact its path, of a package its name and provider, of a resource its type and title, else the name of the value. */
  readonly path: readonly (string | number)[];
  readonly change: "added" | "removed" | "changed";
  /** After the change: a fact's value, a package's versions, an environment; null of a resource. */
  readonly after: Json;
  /** Nodes that failed after it. */
  readonly selected: number;
  /** Other nodes with it in the same time. */
  readonly rest: number;
  /** The share of the nodes that failed with it, less the share of the others; above 0. */
  readonly score: number;
}

/** What changed shortly before nodes had an issue, and not on others. */
export interface Preceding {
  /** Nodes with the issue. */
  readonly selected: number;
  /** Nodes without it that they are compared with. */
  readonly rest: number;
  /** The time in which changes of the others count, ISO 8601. */
  readonly from: string;
  readonly to: string;
  /** Changes, of which some may not be listed. */
  readonly total: number;
  readonly changes: readonly PrecedingChange[];
}
