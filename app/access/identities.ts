import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpResponse } from "../http/response.ts";
import type { RequestFacts } from "./facts.ts";
import type { Refusal } from "./refusal.ts";
import type { Identify } from "./subject.ts";

/** Recognises tokens and people. A service has one where `access-file` or `people-port` is set. */
export interface Identities {
  /** The origin of the listener for people, e.g. `https://census.example.com`; undefined: there is none. */
  readonly peopleOrigin: (() => string) | undefined;
  readonly identify: Identify;
  /** The response to a refused request, if it differs from the usual one. Called once for each. */
  refused(request: IncomingMessage, facts: RequestFacts, refusal: Refusal): HttpResponse | undefined;
  /**
   * Called for each admitted request of a subject.
   * @param isAdmitted judges the request again, as its subject may lose its rights before the response is complete
   */
  admitted(request: IncomingMessage, response: ServerResponse, facts: RequestFacts, isAdmitted: () => boolean): void;
}
