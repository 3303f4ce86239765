import type { RequestFacts } from "./facts.ts";

/** Why a request is denied. The status is always 403. */
export interface Refusal {
  /** For the client; default: PuppetDB's "Forbidden request", which discloses nothing of the rules. */
  readonly text?: string;
  /** For the log, one line. */
  readonly reason: string;
}

/** A rule: returns why it denies a request, or undefined. */
export type Check = (facts: RequestFacts) => Refusal | undefined;

/**
 * A refusal with PuppetDB's text (`reference/http.md §7.4`).
 * @param why for the log
 */
export function forbidden({ path, method, certname, address }: RequestFacts, why: string): Refusal {
  return { reason: `${method} ${path} of ${certname ?? "a client without a certificate"} at ${address}: ${why}` };
}
