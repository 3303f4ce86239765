import { type Check, denied } from "./check.ts";
import { metricsReaders } from "./metrics.ts";
import { familiesOf } from "./roles.ts";

/**
 * The rule where there is no policy: people by their role, tokens by what they are for, and clients without either as in
 * PuppetDB, unless they have no certificate where one or a token is possible.
 * @param hasTls whether a TLS listener is configured
 */
export function judgedByRole(hasTls: boolean): Check {
  const metrics = metricsReaders(hasTls);
  return (facts) => {
    const { subject, family, mayIdentify } = facts;
    if (subject === undefined) return mayIdentify === true ? denied(facts, "no credentials") : metrics(facts);
    if (subject.kind === "token" || family === undefined) return undefined;
    if (subject.role !== undefined && familiesOf(subject.role).includes(family)) return undefined;
    return denied(facts, subject.role === undefined ? "no role" : `the role "${subject.role}" has no "${family}"`);
  };
}

/** A token never does more than it is for, whatever a policy allows. */
export const tokenPermissions: Check = (facts) => {
  const { subject, family } = facts;
  if (subject?.kind !== "token" || family === undefined || subject.may.has(family)) return undefined;
  return denied(facts, `the token is not for "${family}"`);
};
