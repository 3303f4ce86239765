import type { Operation } from "./operation.ts";

/** What maintenance does, for counters and logs (`reference/lifecycle.md §2, §4, §7.4`). */
export type MaintenanceEvent =
  | { readonly kind: "started"; readonly operation: Operation }
  /** `ms`: its duration; `removed`: nodes expired or purged, or deleted rows. */
  | { readonly kind: "ended"; readonly operation: Operation; readonly ms: number; readonly removed: number }
  /** It failed; the next one runs nevertheless. */
  | {
      readonly kind: "failed";
      readonly operation: Operation | "compaction";
      readonly ms: number;
      readonly error: Error;
    }
  | { readonly kind: "expired"; readonly certname: string }
  /** Days that are still to be dropped, one in each run. */
  | { readonly kind: "behind"; readonly what: "reports" | "events"; readonly days: number }
  /** The file was made smaller; sizes in bytes. */
  | { readonly kind: "compacted"; readonly before: number; readonly after: number; readonly ms: number };

export type MaintenanceListener = (event: MaintenanceEvent) => void;
