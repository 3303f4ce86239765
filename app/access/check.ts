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
  const { path, method, subject, address } = facts;
  const client = subject === undefined ? clientOf(facts) : subjectText(subject);
  return { reason: `${method} ${path} of ${client} at ${address}: ${why}` };
}

/** The client of a request by its certificate, for the log. */
export function clientOf({ certname, isUnnamed }: RequestFacts): string {
  if (certname !== undefined) return certname;
  return isUnnamed === true ? "a client whose certificate has no single CN" : "a client without a certificate";
}

/** A refusal by who the client is: who has no credentials is requested to send some. */
export function denied(facts: RequestFacts, why: string): Refusal {
  const { reason } = forbidden(facts, why);
  if (facts.subject !== undefined) {
    return { reason, text: "Permission denied: User does not have permission to access PuppetDB" };
  }
  return facts.mayIdentify === true ? unauthenticated("user-unauthenticated", reason) : { reason };
}
