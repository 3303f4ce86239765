import type { IncomingMessage } from "node:http";

/** Reserves memory for a body that is longer than was reserved; returns false when there is not enough. */
type Grow = (size: number) => boolean;

const growing = new WeakMap<IncomingMessage, Grow>();

/** Has `grow` decide whether the body of a request may get longer. */
export function onGrowth(request: IncomingMessage, grow: Grow): void {
  growing.set(request, grow);
}

/**
 * Whether memory suffices for this many bytes of a body.
 * @param size bytes received so far
 */
export function mayGrow(request: IncomingMessage, size: number): boolean {
  return growing.get(request)?.(size) ?? true;
}
