/** A failure of something that a test has started. */
export interface Failure {
  /** What is killed, for people who read how a campaign went. */
  readonly what: string;
  /** Lets it fail and repairs it. @param ms milliseconds before it is repaired */
  readonly strike: (ms: number) => Promise<void>;
}
