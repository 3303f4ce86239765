import type { Operation } from "./operation.ts";
import type { KeptFor } from "./retention.ts";

/** What stores that follow one log do at the same place in it, besides commands. */
export type Maintenance =
  | { readonly kind: "delete node"; readonly certname: string }
  /** Nothing is changed: each store notes its fingerprint, by which they are compared. */
  | { readonly kind: "compare" }
  | {
      readonly kind: "clean";
      readonly operations: readonly Operation[];
      readonly purgeLimit: number | null;
      /** Of the process that requested it, so that all stores keep data equally long. */
      readonly kept: KeptFor;
    };

/** A periodic run that only one of the processes requests. */
export interface Turn {
  readonly job: string;
  /** Increases with time; a run is added only if its number is higher than those before it. */
  readonly number: number;
}
