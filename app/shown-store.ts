import type { IncomingMessage, ServerResponse } from "node:http";
import { changes } from "./explorer/api/changes.ts";
import { apiRoot } from "./explorer/api/endpoint.ts";
import { endEndless } from "./http/endless.ts";
import type { Handler } from "./http/entrance.ts";

/** Milliseconds that responses have to end before their connections are closed. */
const GRACE_MS = 2000;

/** Sent with `accept` by clients that know that a store is still being filled, and read `about` to see how far it is. */
const INCOMPLETE = "x-census-incomplete";

/** Events cannot be requested with headers; they contain no rows. */
const EVENTS = `${apiRoot}/${changes.path}`;

/** Whether a client knows that rows may be missing. */
export function acceptsIncomplete({ headers, url = "" }: IncomingMessage): boolean {
  return headers[INCOMPLETE] === "accept" || url.startsWith(EVENTS);
}

/** The requests of a store that is shown for a while, and closed before another one is served. */
export class ShownStore {
  readonly #handler: Handler;
  readonly #responses = new Set<ServerResponse>();
  readonly #held: (readonly [request: IncomingMessage, response: ServerResponse])[] = [];
  #isHidden = false;
  #empty: (() => void) | undefined;

  /** @param handler answers requests from the store */
  constructor(handler: Handler) {
    this.#handler = handler;
  }

  /** Answers a request, or from {@link hide} on holds it until {@link passOn}. */
  readonly handle: Handler = (request, response) => {
    if (this.#isHidden) {
      this.#held.push([request, response]);
      return undefined;
    }
    this.#responses.add(response);
    response.once("close", () => {
      this.#responses.delete(response);
      if (this.#responses.size === 0) this.#empty?.();
    });
    return this.#handler(request, response);
  };

  /** Resolves when no response reads the store any more. */
  async hide(): Promise<void> {
    this.#isHidden = true;
    if (this.#responses.size === 0) return;
    const ended = new Promise<void>((resolve) => (this.#empty = resolve));
    for (const response of this.#responses) endEndless(response);
    const timer = setTimeout(() => this.#responses.forEach((response) => response.destroy()), GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Has the requests that were held answered by another handler. */
  passOn(handler: Handler): void {
    for (const [request, response] of this.#held.splice(0)) handler(request, response);
  }
}
