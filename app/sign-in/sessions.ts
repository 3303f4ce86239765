import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { highestRole } from "../access/roles.ts";
import { type PersonKind, type PersonSubject, subjectText } from "../access/subject.ts";
import type { AccessFile } from "./access-file.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import type { EndedSessions } from "./ended-sessions.ts";
import type { Seal } from "./sealed.ts";

/** Who signed in. */
export interface Person {
  readonly kind: PersonKind;
  readonly name: string;
  /** Of a provider or proxy; those of users are in the access file. */
  readonly groups: readonly string[];
}

/** The content of a session's cookie. Times are milliseconds since the epoch. */
interface Session extends Person {
  readonly id: string;
  readonly began: number;
  readonly used: number;
}

export interface SessionOptions {
  readonly seal: Seal;
  readonly ended: EndedSessions;
  readonly file: () => AccessFile;
  /** Milliseconds after which a session ends that is not used, and that is. */
  readonly idleMs: number;
  readonly lifetimeMs: number;
}

const NAME = "__Host-census";

/** A session that began later than this, in milliseconds, was made by a server whose clock is wrong. */
const MAX_AHEAD = 300_000;

/** The part of the idle time after which a session's cookie is renewed. */
const RENEWED_PART = 0.1;

/** Sessions of people, each in a sealed cookie. */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Begins a session; returns the header that sets its cookie. */
  begin(person: Person, now: number): string {
    return this.#cookie({ ...person, id: randomUUID(), began: now, used: now });
  }

  /** Who a request's session belongs to; undefined: there is none, or it has ended. */
  read(request: IncomingMessage, now: number): PersonSubject | undefined {
    const session = this.#sessionOf(request, now);
    return session && { ...subjectOf(session, this.#options.file()), until: this.#endOf(session) };
  }

  /** The header that renews a session that is in use; undefined: that is not due. */
  renewal(request: IncomingMessage, now: number): string | undefined {
    const session = this.#sessionOf(request, now);
    if (session === undefined || now - session.used < this.#options.idleMs * RENEWED_PART) return undefined;
    return this.#cookie({ ...session, used: now });
  }

  /** Ends a request's session on this server; returns the header that removes its cookie. */
  end(request: IncomingMessage, now: number): string {
    const session = this.#sessionOf(request, now);
    if (session !== undefined) this.#options.ended.add(session.id, session.began + this.#options.lifetimeMs, now);
    return setCookie(NAME, "", 0);
  }

  #sessionOf(request: IncomingMessage, now: number): Session | undefined {
    const text = cookieOf(request, NAME);
    if (text === undefined) return undefined;
    const { seal, ended, file } = this.#options;
    const session = seal.open("session", text) as Session | undefined;
    if (session === undefined || ended.has(session.id) || session.began > now + MAX_AHEAD) return undefined;
    if (this.#endOf(session) <= now) return undefined;
    const { users, signedOut } = file();
    if (session.kind === "user" && !users.has(session.name)) return undefined;
    const signedOutAt = signedOut.get(subjectText(session));
    return signedOutAt !== undefined && session.began <= Date.parse(signedOutAt) ? undefined : session;
  }

  #endOf({ began, used }: Session): number {
    return Math.min(began + this.#options.lifetimeMs, used + this.#options.idleMs);
  }

  #cookie(session: Session): string {
    const seconds = Math.ceil(this.#options.lifetimeMs / 1000);
    return setCookie(NAME, this.#options.seal.seal("session", session), seconds);
  }
}

/** A person with the role and the groups of the present access file. */
export function subjectOf({ kind, name, groups: given }: Person, { users, groups: roles }: AccessFile): PersonSubject {
  const user = kind === "user" ? users.get(name) : undefined;
  const groups = user?.groups ?? given;
  const ofGroups = [...groups, "*"].map((group) => roles.get(group));
  return { kind, name, groups, role: highestRole([user?.role, ...ofGroups]) };
}
