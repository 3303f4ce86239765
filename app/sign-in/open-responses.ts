import type { ServerResponse } from "node:http";

/** Responses in progress that depend on a token or a person. */
export class OpenResponses {
  readonly #open = new Map<ServerResponse, () => boolean>();

  /** @param isAdmitted whether the response may still go on */
  add(response: ServerResponse, isAdmitted: () => boolean): void {
    this.#open.set(response, isAdmitted);
    response.once("close", () => this.#open.delete(response));
  }

  /** Cuts those that may not go on. To be called at least once a second: tokens and sessions expire by themselves. */
  look(): void {
    for (const [response, isAdmitted] of this.#open) {
      if (!isAdmitted()) response.destroy();
    }
  }
}
