import type { Server } from "node:http";

/** Limits of a request that apply before our code handles it. */
export interface RequestLimits {
  /** Bytes of the request line and headers together; more gets 431 (`reference/http.md §4`). */
  readonly headerBytes: number;
  /** Milliseconds until the headers are complete, else 408. */
  readonly headersMs: number;
  /** Milliseconds until the body is complete as well, else 408; 0 = no limit. */
  readonly requestMs: number;
  /** Milliseconds that a connection is kept open between two requests. */
  readonly idleMs: number;
  /** Milliseconds without new bytes of an incomplete body, else 408. */
  readonly stallMs: number;
  /** Maximum connections of all listeners; beyond it idle ones are closed, or new ones get 503. */
  readonly connections: number;
}

/**
 * PuppetDB's limits, except for the last two and `requestMs`, which it does not have. An hour, because an archive is
 * received at the speed at which it can be stored.
 */
export const defaultLimits: RequestLimits = {
  headerBytes: 8192,
  headersMs: 30_000,
  requestMs: 3_600_000,
  idleMs: 30_000,
  stallMs: 60_000,
  connections: 4096,
};

/** Node reads these for each request, so they can be set on a listening server. */
export function limit(server: Server, limits: RequestLimits): void {
  Object.assign(server, { maxHeaderSize: limits.headerBytes });
  // Node uses the headers' limit for the body too if it is the longer one.
  server.headersTimeout = limits.requestMs === 0 ? limits.headersMs : Math.min(limits.headersMs, limits.requestMs);
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.idleMs;
}
