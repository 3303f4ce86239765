import type { Socket } from "node:net";

/** Connections on which no further request is read. */
const over = new WeakSet<Socket>();

/** Ignores further requests on this connection: nothing after its last request can be trusted. */
export function endRequests(socket: Socket): void {
  over.add(socket);
}

export function requestsEnded(socket: Socket): boolean {
  return over.has(socket);
}
