import type { Timestamp } from "../time.ts";

/**
 * `copying`: the first copy is being made; `held`: too much is missing there at once, so that nothing is deleted here;
 * `unreachable`: it does not answer; `refused`: it answers that this server may not query it.
 */
export type OriginState = "copying" | "following" | "held" | "unreachable" | "refused";

/** How an origin is followed. Whoever follows it changes this, others read it. */
export class OriginStatus {
  readonly name: string;
  /** Its address, without a password. */
  readonly url: string;
  /** Of its program; undefined until it has answered. */
  version: string | undefined;
  state: OriginState = "copying";
  /** When the last look began after which nothing was missing here; undefined: none has yet. */
  lastLook: Timestamp | undefined;
  /** Its nodes here, and those of them that have something newer here than it has. */
  nodes = 0;
  ahead = 0;
  /** Nodes of it that another origin has too. */
  shared = 0;
  /** Reports of it that are not here yet. */
  missingReports = 0;
  /** Commands that it has not stored yet. */
  queueDepth: number | undefined;
  /** Documents of the present copy that are here, of all that it has. */
  progress: { readonly done: number; readonly total: number } | undefined;
  /** What is wrong; undefined: nothing. */
  problem: string | undefined;
  /** Since the start: milliseconds in which a request was running, bytes of answers as they were sent, documents by kind. */
  readonly counts = {
    looks: 0,
    requests: 0,
    requestMs: 0,
    bytes: 0,
    failures: 0,
    documents: new Map<string, number>(),
  };

  constructor(name: string, url: string) {
    this.name = name;
    this.url = url;
  }
}
