import type { RequestFacts } from "#app/access/facts.ts";
import type { Family } from "#app/access/families.ts";
import { router } from "#test/app/openapi/operations.ts";

type Rest = Partial<Omit<RequestFacts, "path" | "family" | "listener">>;

/** A GET over plain HTTP from this machine, unless more is said. */
export function plain(path: string, rest: Rest = {}): RequestFacts {
  return { ...facts(path), listener: "plain", address: "127.0.0.1", ...rest };
}

/** A GET over TLS from elsewhere, without a certificate unless one is named. */
export function tls(path: string, rest: Rest = {}): RequestFacts {
  return { ...facts(path), listener: "tls", address: "10.1.2.3", ...rest };
}

/** The family of a path in its normal spelling. */
export function familyOf(path: string): Family | undefined {
  return (router.find(path) ?? router.fallback(path)).endpoint.family;
}

function facts(path: string): Pick<RequestFacts, "path" | "family" | "method"> {
  const family = familyOf(path);
  return { path, method: "GET", ...(family === undefined ? {} : { family }) };
}
