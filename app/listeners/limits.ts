import type { Server } from "node:http";

/** What one request may ask of a listener before any of our code sees it. */
export interface RequestLimits {
  /** Bytes of the request line and headers together; more is answered 431 (`reference/http.md §4`). */
  readonly headerBytes: number;
  /** Milliseconds until the headers are complete, else 408. */
  readonly headersMs: number;
  /** Milliseconds until the body is complete as well, else 408; 0 = as long as it likes. */
  readonly requestMs: number;
  /** Milliseconds that a connection is kept open between two requests. */
  readonly idleMs: number;
  /** Milliseconds that a body may pause while we would read more of it, else 408. */
  readonly stallMs: number;
  /** Connections of all listeners at a time; beyond them idle ones are closed, else new ones get 503. */
  readonly connections: number;
}

/**
 * As the peer has them, but for the last two and `requestMs`: it has none there. An hour, because an archive is taken in at the pace at
 * which it can be stored.
 */
export const defaultLimits: RequestLimits = {
  headerBytes: 8192,
  headersMs: 30_000,
  requestMs: 3_600_000,
  idleMs: 30_000,
  stallMs: 60_000,
  connections: 4096,
};

/** Node reads these at each request, so they may be set on a server that listens already. */
export function limit(server: Server, limits: RequestLimits): void {
  Object.assign(server, { maxHeaderSize: limits.headerBytes });
  // Node goes by the limit of the headers for the body too when it is the longer one.
  server.headersTimeout = limits.requestMs === 0 ? limits.headersMs : Math.min(limits.headersMs, limits.requestMs);
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.idleMs;
}
