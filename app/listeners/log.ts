/** Receives the messages of a running listener, one line each. */
export interface ListenerLog {
  /** A success that was requested: certificates were read again. */
  notice(line: string): void;
  /** A problem outside of the program: a refused certificate, or one that has expired. */
  warn(line: string): void;
}
