import type { QueueEntry } from "./entry.ts";
import type { Outcome } from "../ingest/outcome.ts";

/** Events of commands, for metrics and logs (`reference/commands.md §2.7, §2.8`). */
export type CommandEvent =
  /** It is durable. `ms`: the time until then. `isElsewhere`: it waits in a log that other stores follow too. */
  | { readonly kind: "received"; readonly entry: QueueEntry; readonly ms: number; readonly isElsewhere?: boolean }
  /** It was read from such a log, and waits here now. */
  | { readonly kind: "read"; readonly entry: QueueEntry }
  /** A newer command replaced it while it waited. */
  | { readonly kind: "superseded"; readonly entry: QueueEntry }
  /** It left the line after it was superseded: what is stored is not its content. */
  | { readonly kind: "obsolete"; readonly entry: QueueEntry }
  /** Its checksum is not its payload's; it is stored nevertheless. */
  | { readonly kind: "checksum"; readonly entry: QueueEntry }
  /** It is stored, or need not be. `ms`: its share of the time of its batch. */
  | {
      readonly kind: "processed";
      readonly entry: QueueEntry;
      readonly outcome: Outcome;
      readonly ms: number;
    }
  /** It failed and will be tried again at `at` (ms since the epoch, by the machine's clock). */
  | { readonly kind: "postponed"; readonly entry: QueueEntry; readonly error: Error; readonly at: number }
  /**
   * It can never be stored, or failed too often. `place`: the name of its dead letter; undefined where it is not
   * stored.
   */
  | {
      readonly kind: "discarded";
      readonly entry: QueueEntry;
      readonly error: Error;
      readonly place: string | undefined;
    }
  /** The disk lost the results of `commands` commands: they are stored again. */
  | { readonly kind: "rewound"; readonly commands: number }
  /** The log could not store commands: they were not accepted. */
  | { readonly kind: "refused"; readonly error: Error }
  /** Nothing can be stored at present; tried again in `seconds`. */
  | { readonly kind: "stalled"; readonly error: Error; readonly seconds: number };

export type CommandListener = (event: CommandEvent) => void;
