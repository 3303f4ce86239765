import type { IncomingMessage } from "node:http";
import type { Peer } from "../listeners/peer.ts";
import type { Family } from "./families.ts";
import type { Refusal } from "./refusal.ts";
import type { Role } from "./roles.ts";

/** A program that sent a token. */
export interface TokenSubject {
  readonly kind: "token";
  readonly name: string;
  /** The families that the token is for; an authorization policy must allow them too. */
  readonly may: ReadonlySet<Family>;
  /** If the token is for what a role may use. */
  readonly role: Role | undefined;
}

/** Who confirmed a person: the access file (`user`), an OpenID Connect provider (`sso`) or a reverse proxy (`proxy`). */
export type PersonKind = "user" | "sso" | "proxy";

/** A person. Names of different kinds never mean the same person. */
export interface PersonSubject {
  readonly kind: PersonKind;
  readonly name: string;
  readonly groups: readonly string[];
  /** Undefined: no role is given to any of the groups. */
  readonly role: Role | undefined;
  /** When the session ends, unless it is used; milliseconds since the epoch. Absent: there is no session. */
  readonly until?: number;
}

/** Who sent a request, besides clients with certificates. */
export type Subject = TokenSubject | PersonSubject;

/** What a request says of who sent it: a subject, or credentials that are not valid. */
export interface Identified {
  readonly subject?: Subject;
  readonly invalid?: Refusal;
}

/** Recognises who sent a request. */
export type Identify = (request: IncomingMessage, peer: Peer) => Identified;

/** `token:ci`, `sso:alice` */
export function subjectText({ kind, name }: Pick<Subject, "kind" | "name">): string {
  return `${kind}:${name}`;
}
