import type { Timestamp } from "../time.ts";

/**
 * `copying`: the first copy is being made; `held`: too much is missing there at once, so that nothing is deleted here;
 * `unreachable`: it does not answer; `refused`: it answers that this server may not query it.
 */
export type OriginState = "copying" | "following" | "held" | "unreachable" | "refused";

/** How an origin is followed. Whoever follows it changes this, others read it. */
export interface OriginStatus {
  readonly name: string;
  /** Its address, without a password. */
  readonly url: string;
  /** Of its program; undefined until it has answered. */
  version: string | undefined;
  state: OriginState;
  /** When the last look began after which nothing was missing here; undefined: none has yet. */
  lastLook: Timestamp | undefined;
  /** Its nodes here, and those of them that have something newer here than it has. */
  nodes: number;
  ahead: number;
  /** Nodes of it that another origin has too. */
  shared: number;
  /** Reports of it that are not here yet. */
  missingReports: number;
  /** Commands that it has not stored yet. */
  queueDepth: number | undefined;
  /** Documents of the present copy that are here, of all that it has. */
  progress: { readonly done: number; readonly total: number } | undefined;
  /** What is wrong; undefined: nothing. */
  problem: string | undefined;
  /** Since the start. */
  readonly counts: OriginCounts;
}

interface OriginCounts {
  looks: number;
  requests: number;
  /** Milliseconds in which a request was running. */
  requestMs: number;
  /** Bytes of answers as they were sent. */
  bytes: number;
  failures: number;
  /** By kind. */
  readonly documents: Map<string, number>;
}

export function newStatus(name: string, url: string): OriginStatus {
  const counts = { looks: 0, requests: 0, requestMs: 0, bytes: 0, failures: 0, documents: new Map<string, number>() };
  return {
    name,
    url,
    version: undefined,
    state: "copying",
    lastLook: undefined,
    nodes: 0,
    ahead: 0,
    shared: 0,
    missingReports: 0,
    queueDepth: undefined,
    progress: undefined,
    problem: undefined,
    counts,
  };
}
