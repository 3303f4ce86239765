import type { RequestFacts } from "./facts.ts";

/** Why a request is not answered. The status is always 403. */
export interface Refusal {
  /** What the client is told; without one, the peer's "Forbidden request", which tells a stranger nothing of the rules. */
  readonly text?: string;
  /** What the log is told, in one line. */
  readonly reason: string;
}

/** Looks at a request and says what is wrong with it, if anything. */
export type Check = (facts: RequestFacts) => Refusal | undefined;

/**
 * A refusal in the peer's words for what its rules deny (`reference/http.md §7.4`).
 * @param why for the log
 */
export function forbidden({ path, method, certname, address }: RequestFacts, why: string): Refusal {
  return { reason: `${method} ${path} of ${certname ?? "a client without a certificate"} at ${address}: ${why}` };
}
