/** What the status service has to know about the service. */
export interface ServiceState {
  /** The version that is reported: of the product, as clients compare it. */
  readonly version: string;
  /** Nothing is answered yet: the store is being brought up to date. */
  readonly isInMaintenance: () => boolean;
  /** Commands that are not finished; null when that is not known. */
  readonly queueDepth: () => number | null;
  /** Whether the store can be read, and whether it can be written. What they throw means no. */
  readonly readsWork: () => Promise<boolean>;
  readonly writesWork: () => Promise<boolean>;
  /** Why no command is accepted, where that is so. */
  readonly problem: () => string | undefined;
}
