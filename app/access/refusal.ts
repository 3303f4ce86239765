/** Why a request is denied. */
export interface Refusal {
  /** Default: 403. */
  readonly status?: 400 | 401 | 403 | 421;
  /** Of a 401: the kind of problem, as Puppet Enterprise names it. */
  readonly kind?: CredentialsProblem;
  /** For the client; default: PuppetDB's "Forbidden request", which discloses nothing of the rules. */
  readonly text?: string;
  /** For the log, one line. */
  readonly reason: string;
}

/** Texts of Puppet Enterprise's answers, which its clients print. */
const problems = {
  "user-unauthenticated": "Route requires authentication",
  "invalid-token": "The provided token is not valid.",
  "token-expired": "The provided token has expired.",
  "token-revoked": "Authentication token has been revoked.",
} as const;

export type CredentialsProblem = keyof typeof problems;

/** A refusal of missing or invalid credentials. */
export function unauthenticated(kind: CredentialsProblem, reason: string): Refusal {
  return { status: 401, kind, text: problems[kind], reason };
}
