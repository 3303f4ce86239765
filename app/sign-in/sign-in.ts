import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestFacts } from "../access/facts.ts";
import type { Identities } from "../access/identities.ts";
import { type Refusal, unauthenticated } from "../access/refusal.ts";
import { type Identified, subjectText, type TokenSubject } from "../access/subject.ts";
import type { HttpResponse } from "../http/response.ts";
import { isLoopback } from "../listeners/address.ts";
import type { ListenerLog } from "../listeners/log.ts";
import type { Peer } from "../listeners/peer.ts";
import { requestId } from "../listeners/request-id.ts";
import { keepSubject } from "../listeners/request-subject.ts";
import { changesBetween } from "./access-file-changes.ts";
import { Audit, type AuditEvent } from "./audit.ts";
import { followAccessFile, type FollowedFile } from "./followed-file.ts";
import { People, type PeopleSettings } from "./people.ts";
import { identifyToken, isOurs, tokenIn } from "./tokens.ts";

export interface SignInOptions {
  /** Path of the access file; undefined: no tokens, and no people but those whom a policy admits. */
  readonly accessFile: string | undefined;
  /** Writes a line of the audit log; absent: there is none. */
  readonly onAudit?: (line: string) => void;
  /** The data directory; absent: sessions are kept in memory alone. */
  readonly directory?: string | undefined;
  /** Where people sign in; absent: they cannot. */
  readonly people?: PeopleSettings | undefined;
}

/** First uses of tokens in a day that are told apart. */
const MOST_USES = 10_000;

/** Recognises tokens and people, and ends their responses when they lose their rights. */
export class SignIn implements Identities {
  readonly people: People | undefined;
  readonly accessFile: FollowedFile;
  readonly peopleOrigin: (() => string) | undefined;
  /** Admitted requests with each token since the start. */
  readonly tokenRequests = new Map<string, number>();
  readonly #audit: Audit;
  /** Responses in progress that depend on a token or a person, and whether they may go on. */
  readonly #open: Map<ServerResponse, () => boolean>;
  /** Tokens, addresses and the day of their requests. */
  readonly #uses = new Set<string>();
  #day = "";

  private constructor(
    file: FollowedFile,
    audit: Audit,
    open: Map<ServerResponse, () => boolean>,
    people: People | undefined,
  ) {
    this.people = people;
    this.peopleOrigin = people && (() => people.origin);
    this.accessFile = file;
    this.#audit = audit;
    this.#open = open;
  }

  /** @throws CensusError "bad-file" naming the file and what is wrong with it */
  static async open(options: SignInOptions, log: ListenerLog): Promise<SignIn> {
    const { accessFile, onAudit, directory } = options;
    const audit = new Audit(onAudit ?? (() => undefined));
    const open = new Map<ServerResponse, () => boolean>();
    const file = await followAccessFile(accessFile, (change) => {
      if (change !== undefined && "problem" in change) {
        log.warn(`keeping the current tokens and users: ${change.problem}`);
        audit.log({ event: "access-file-changed", result: "failed", why: change.problem });
      } else if (change !== undefined) {
        const changes = changesBetween(change.before, change.after);
        log.notice(`read ${accessFile ?? ""} again: ${changes.join(", ") || "nothing has changed"}`);
        audit.log({ event: "access-file-changed", changes });
      }
      // Tokens and sessions expire by themselves as well.
      for (const [response, isAdmitted] of open) if (!isAdmitted()) response.destroy();
    });
    const context = { file: () => file.current, audit, directory };
    return new SignIn(file, audit, open, options.people && (await People.open(options.people, context)));
  }

  /** How sign-ins ended, by `password ok` and the like, since the start. */
  get results(): ReadonlyMap<string, number> {
    return this.people?.results ?? new Map();
  }

  readonly identify = (request: IncomingMessage, peer: Peer): Identified => {
    const token = tokenIn(request);
    if (typeof token === "object") return { invalid: token };
    const person = peer.listener === "people" ? this.people?.identify(request) : undefined;
    if (person !== undefined && "reason" in person) return { invalid: person };
    const otherwise = person === undefined ? {} : { subject: person };
    if (token === undefined) return otherwise;
    if (isOurs(token)) return identifyToken(token, this.accessFile.current, Date.now());
    // Clients of Puppet Enterprise send its tokens to every server: who is admitted without one stays so.
    const isHere = peer.listener === "plain" && isLoopback(peer.address);
    if (peer.certname !== undefined || isHere || person?.kind === "proxy") return otherwise;
    return { invalid: unauthenticated("invalid-token", "a request with a token of another service was refused") };
  };

  refused(request: IncomingMessage, facts: RequestFacts, { reason }: Refusal): HttpResponse | undefined {
    if (facts.invalid !== undefined) this.#log("token-refused", request, facts, { why: reason });
    else if (facts.subject !== undefined) this.#log("denied", request, facts, { why: reason });
    return facts.listener === "people" ? this.people?.refused(request, facts) : undefined;
  }

  admitted(request: IncomingMessage, response: ServerResponse, facts: RequestFacts, isAdmitted: () => boolean): void {
    const { subject, family } = facts;
    if (subject === undefined) return;
    keepSubject(request, subjectText(subject));
    if (subject.kind === "token") this.#count(request, facts, subject);
    // Responses of other families may be kept by caches, which must not keep cookies.
    const renewal = family === "query" && subject.kind !== "token" ? this.people?.renewal(request) : undefined;
    if (renewal !== undefined) response.setHeader("set-cookie", renewal);
    this.#open.set(response, isAdmitted);
    response.once("close", () => this.#open.delete(response));
  }

  close(): void {
    this.accessFile.close();
    this.people?.close();
    this.#audit.close();
  }

  #count(request: IncomingMessage, facts: RequestFacts, { name }: TokenSubject): void {
    this.tokenRequests.set(name, (this.tokenRequests.get(name) ?? 0) + 1);
    const day = new Date().toISOString().slice(0, 10);
    if (day !== this.#day) this.#uses.clear();
    this.#day = day;
    const use = `${facts.address} ${name}`;
    if (this.#uses.has(use) || this.#uses.size >= MOST_USES) return;
    this.#uses.add(use);
    this.#log("token-first-use", request, facts);
  }

  #log(
    event: AuditEvent["event"],
    request: IncomingMessage,
    { subject, address: remote }: RequestFacts,
    more: Partial<AuditEvent> = {},
  ): void {
    const about = subject === undefined ? {} : { subject: subjectText(subject), role: subject.role };
    this.#audit.log({ event, ...about, ...more, remote, id: requestId(request) });
  }
}
