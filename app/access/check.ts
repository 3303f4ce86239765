import type { RequestFacts } from "./facts.ts";
import { type Refusal, unauthenticated } from "./refusal.ts";
import { subjectText } from "./subject.ts";

/** A rule: returns why it denies a request, or undefined. */
export type Check = (facts: RequestFacts) => Refusal | undefined;

/**
 * A refusal with PuppetDB's text (`reference/http.md §7.4`).
 * @param why for the log
 */
export function forbidden(facts: RequestFacts, why: string): Refusal {
  const { path, method, subject, certname, address } = facts;
  const client = subject === undefined ? (certname ?? "a client without a certificate") : subjectText(subject);
  return { reason: `${method} ${path} of ${client} at ${address}: ${why}` };
}

/** A refusal by who the client is: who has no credentials is requested to send some. */
export function denied(facts: RequestFacts, why: string): Refusal {
  const { reason } = forbidden(facts, why);
  if (facts.subject !== undefined) {
    return { reason, text: "Permission denied: User does not have permission to access PuppetDB" };
  }
  return facts.mayIdentify === true ? unauthenticated("user-unauthenticated", reason) : { reason };
}
