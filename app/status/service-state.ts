import type { ShownOrigin } from "./origin-status.ts";
import type { Followed } from "#storage/followed-log.ts";
import type { SignInStatus } from "./sign-in-status.ts";
import type { StoreFigures } from "./store-figures.ts";

/** The state of the service that its status reports. */
export interface ServiceState {
  /** The version that is reported: of the product, as clients compare it. */
  readonly version: string;
  /** Nothing is answered yet: the store is being brought up to date. */
  readonly isInMaintenance: () => boolean;
  /** Commands that were acknowledged before the start are being stored; queries return less until then. */
  readonly isCatchingUp: () => boolean;
  /** Commands that are not finished; null when that is not known. */
  readonly queueDepth: () => number | null;
  /** Whether the store can be read, and whether it can be written. An error counts as no. */
  readonly readsWork: () => Promise<boolean>;
  readonly writesWork: () => Promise<boolean>;
  /** How far the log is stored that other servers follow too; undefined: there is none. */
  readonly followed: () => Followed | undefined;
  /** How other servers are followed; none: they are not. */
  readonly origins: () => readonly ShownOrigin[];
  /** Why no commands are accepted; undefined: they are. */
  readonly problem: () => string | undefined;
  /** What level `debug` adds, with `signIn`. */
  readonly figures: () => Promise<StoreFigures>;
  /** Undefined: neither tokens nor people are recognised. */
  readonly signIn: () => SignInStatus | undefined;
  /** Bytes that the data directory has room for; undefined: there is none. */
  readonly freeBytes: () => number | undefined;
}
