import type { QueueEntry } from "./entry.ts";
import type { Outcome } from "../ingest/outcome.ts";

/** What happens to commands, for metrics and logs (`reference/commands.md §2.7, §2.8`). */
export type CommandEvent =
  /** It is durable. `ms`: what that took. */
  | { readonly kind: "received"; readonly entry: QueueEntry; readonly ms: number }
  /** A newer command replaced it while it waited. */
  | { readonly kind: "superseded"; readonly entry: QueueEntry }
  /** It left the line unprocessed because it was superseded. */
  | { readonly kind: "obsolete"; readonly entry: QueueEntry }
  /** It came with a checksum that is not its payload's; it is stored nevertheless. */
  | { readonly kind: "checksum"; readonly entry: QueueEntry }
  /** It is stored, or need not be. `ms`: its share of the time its batch took. */
  | {
      readonly kind: "processed";
      readonly entry: QueueEntry;
      readonly outcome: Outcome;
      readonly ms: number;
    }
  /** It failed and will be tried again at `at` (ms since the epoch, by the machine's clock). */
  | { readonly kind: "postponed"; readonly entry: QueueEntry; readonly error: Error; readonly at: number }
  /** It can never be stored, or failed too often. `place`: where it is kept; undefined where it is not. */
  | {
      readonly kind: "discarded";
      readonly entry: QueueEntry;
      readonly error: Error;
      readonly place: string | undefined;
    }
  /** The disk lost what `commands` commands had stored: they are stored again. */
  | { readonly kind: "rewound"; readonly commands: number }
  /** Nothing can be stored at present; tried again in `seconds`. */
  | { readonly kind: "stalled"; readonly error: Error; readonly seconds: number };

export type CommandListener = (event: CommandEvent) => void;
