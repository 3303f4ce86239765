import type { Socket } from "node:net";

/** Connections on which no further request is read. */
const over = new WeakSet<Socket>();

/** From now on requests on this connection are ignored: nothing behind what it sent last can be trusted. */
export function endRequests(socket: Socket): void {
  over.add(socket);
}

export function requestsEnded(socket: Socket): boolean {
  return over.has(socket);
}
