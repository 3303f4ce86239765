import type { ServerResponse } from "node:http";

const ends = new WeakMap<ServerResponse, () => void>();

/**
 * Marks a response that goes on for as long as the client wants it, such as events.
 * @param end ends it; called when the service closes, or clients have to open new connections
 */
export function markEndless(response: ServerResponse, end: () => void): void {
  ends.set(response, end);
}

/** Ends a response if it is marked as endless: nothing would be gained by waiting for it. */
export function endEndless(response: ServerResponse): void {
  ends.get(response)?.();
}
