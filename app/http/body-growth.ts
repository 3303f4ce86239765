import type { IncomingMessage } from "node:http";

/** Takes memory for a body that turns out to be longer than what was taken for it; whether there is as much. */
type Grow = (size: number) => boolean;

const growing = new WeakMap<IncomingMessage, Grow>();

/** Has `grow` decide whether the body of a request may go on. */
export function onGrowth(request: IncomingMessage, grow: Grow): void {
  growing.set(request, grow);
}

/**
 * Whether a body may have so many bytes: those that it announced, or as many as there is memory for.
 * @param size bytes that have come so far
 */
export function mayGrow(request: IncomingMessage, size: number): boolean {
  return growing.get(request)?.(size) ?? true;
}
