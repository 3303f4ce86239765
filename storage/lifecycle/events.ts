import type { Operation } from "./operation.ts";

/** What maintenance does, for those who count and log it (`reference/lifecycle.md §2, §4, §7.4`). */
export type MaintenanceEvent =
  | { readonly kind: "started"; readonly operation: Operation }
  /** `ms`: what it took; `removed`: nodes expired or purged, or rows of what it collects. */
  | { readonly kind: "ended"; readonly operation: Operation; readonly ms: number; readonly removed: number }
  /** It was given up; the next one runs all the same. */
  | {
      readonly kind: "failed";
      readonly operation: Operation | "compaction";
      readonly ms: number;
      readonly error: Error;
    }
  | { readonly kind: "expired"; readonly certname: string }
  /** So many days are still to be dropped, one in each run. */
  | { readonly kind: "behind"; readonly what: "reports" | "events"; readonly days: number }
  /** The file was made smaller; sizes in bytes. */
  | { readonly kind: "compacted"; readonly before: number; readonly after: number; readonly ms: number };

export type MaintenanceListener = (event: MaintenanceEvent) => void;
