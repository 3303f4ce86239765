/** Who is told what a listener has to say while it runs, a line at a time. */
export interface ListenerLog {
  /** Something went as asked: certificates were read again. */
  notice(line: string): void;
  /** Somebody else's mistake that deserves a look: a refused certificate, one that has expired. */
  warn(line: string): void;
}
