import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RequestFacts } from "../access/facts.ts";
import type { Refusal } from "../access/refusal.ts";
import { type PersonSubject, subjectText } from "../access/subject.ts";
import { namesBrowserPages } from "../http/accept.ts";
import { type HttpRequest, readBody, targetOf } from "../http/request.ts";
import { type HttpResponse, notFound, textResponse } from "../http/response.ts";
import type { PeopleListenerOptions } from "../listeners/people.ts";
import { peerOf } from "../listeners/peer.ts";
import { requestId } from "../listeners/request-id.ts";
import type { AccessFile } from "./access-file.ts";
import { addressKey, Attempts } from "./attempts.ts";
import type { Audit, AuditEvent } from "./audit.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import { EndedSessions } from "./ended-sessions.ts";
import type { Confirmed, Flow, OidcSettings, Provider } from "./oidc.ts";
import { PasswordChecks } from "./password-checks.ts";
import { nobodysHash } from "./password-hash.ts";
import { forwardedFor, namedByProxy, type ProxyHeaders, readNetworks } from "./proxies.ts";
import { returnPath } from "./return-path.ts";
import { Seal } from "./sealed.ts";
import { sessionKeys } from "./session-key.ts";
import { type Person, Sessions, subjectOf } from "./sessions.ts";
import { deniedPage, signInPage } from "./sign-in-page.ts";

/** Settings of the listener for people and of their sessions. Paths are absolute. */
export interface PeopleSettings extends Omit<PeopleListenerOptions, "isProxy" | "clientOf"> {
  /** What people type; undefined: the address of the listener. */
  readonly url: string | undefined;
  /** Addresses and networks of reverse proxies, through which everybody comes; empty: there are none. */
  readonly proxies: readonly string[];
  readonly proxyHeaders: ProxyHeaders;
  readonly sessionKeyFile: string | undefined;
  readonly idleMs: number;
  readonly lifetimeMs: number;
  readonly oidc: OidcSettings | undefined;
}

/** What people work with that other parts of the service have. */
export interface PeopleContext {
  readonly file: () => AccessFile;
  readonly audit: Audit;
  /** The data directory; undefined: in memory. */
  readonly directory: string | undefined;
}

/** Bytes of a form. */
const LARGEST_FORM = 8192;

/** Seconds for a sign-in at the provider, and for which a browser is known. */
const FLOW_SECONDS = 600;
const KNOWN_SECONDS = 90 * 86_400;

const KNOWN = "__Host-census-known";

const texts = {
  wrong: "User name or password is wrong.",
  notBegun: "This sign-in was not begun in this browser, or took longer than 10 minutes. Try again.",
  unreachable: "The sign-in service cannot be reached; local users can sign in below.",
  refused: "The sign-in service did not confirm who you are. Try again.",
} as const;

/** Signs people in and out, and recognises them. */
export class People {
  /** How sign-ins ended, by `password ok` and the like, since the start. */
  readonly results = new Map<string, number>();
  readonly isProxy: ((address: string) => boolean) | undefined;
  /** Whether a person may open the pages. Set once the access rules are known. */
  mayEnter: (person: PersonSubject) => boolean = () => true;
  provider: Provider | undefined;
  #origin: string | undefined;
  readonly #settings: PeopleSettings;
  readonly #context: PeopleContext;
  readonly #seal: Seal;
  readonly #sessions: Sessions;
  readonly #attempts = new Attempts();
  readonly #checks = new PasswordChecks();

  private constructor(settings: PeopleSettings, context: PeopleContext, seal: Seal) {
    this.#settings = settings;
    this.#context = context;
    this.#seal = seal;
    this.#origin = settings.url === undefined ? undefined : new URL(settings.url).origin;
    this.isProxy = settings.proxies.length === 0 ? undefined : readNetworks(settings.proxies);
    const ended = new EndedSessions(context.directory);
    this.#sessions = new Sessions({ ...settings, seal, ended, file: context.file });
  }

  /** @throws CensusError "bad-file" for a file of the settings */
  static async open(settings: PeopleSettings, context: PeopleContext): Promise<People> {
    const seal = new Seal(await sessionKeys(settings.sessionKeyFile, context.directory));
    const people = new People(settings, context, seal);
    if (settings.oidc !== undefined) {
      // Loaded on demand: not every site has a provider.
      const { Provider } = await import("./oidc.ts");
      people.provider = new Provider(settings.oidc, () => `${people.origin}/sign-in/callback`);
    }
    return people;
  }

  /** `https://census.example.com` */
  get origin(): string {
    return this.#origin ?? "";
  }

  /** @param url of the listener, which counts where the settings have none */
  listening(url: string): void {
    this.#origin ??= url;
  }

  readonly listener = (): PeopleListenerOptions => {
    const { host, port, tls } = this.#settings;
    const { isProxy } = this;
    if (isProxy === undefined) return { host, port, tls };
    return { host, port, tls, isProxy, clientOf: (request, address) => forwardedFor(request, address, isProxy) };
  };

  /** Whom a request of this listener is from; a refusal where a proxy does not say it clearly. */
  identify(request: IncomingMessage): PersonSubject | Refusal | undefined {
    const named = namedByProxy(request, this.#settings.proxyHeaders);
    if (named === undefined) return this.#sessions.read(request, Date.now());
    return "reason" in named ? named : subjectOf(named, this.#context.file());
  }

  /** The header that renews the session of a request; undefined: that is not due. */
  renewal(request: IncomingMessage): string | undefined {
    return this.#sessions.renewal(request, Date.now());
  }

  /** What a browser gets that opens a page which its user may not see; undefined: it is no such request. */
  refused(request: IncomingMessage, { subject, method, fetchMode }: RequestFacts): HttpResponse | undefined {
    if (method !== "GET" || (fetchMode !== "navigate" && !namesBrowserPages(request))) return undefined;
    const { path, search } = targetOf(request);
    const to = returnPath(search === "" ? path : `${path}?${search}`);
    if (subject === undefined) return seeOther(signInAddress(to));
    return subject.kind === "token" ? undefined : deniedPage(deniedText(subject), to);
  }

  answerPage({ search }: HttpRequest): HttpResponse {
    const parameters = new URLSearchParams(search);
    const why = parameters.get("why") ?? "";
    return this.#page(parameters.get("to"), Object.hasOwn(texts, why) ? texts[why as keyof typeof texts] : undefined);
  }

  async answerForm(request: HttpRequest): Promise<HttpResponse> {
    const { message } = request;
    if (message.headers.origin !== this.origin) return foreignForm();
    const form = new URLSearchParams(await readBody(request, LARGEST_FORM));
    const [name, password, to] = [form.get("user")?.trim() ?? "", form.get("password") ?? "", form.get("to")];
    const known = this.#knownBrowser(message, name);
    const { address } = peerOf(message);
    const keys = known === undefined ? [`address ${addressKey(address)}`, `name ${name}`] : [`browser ${known}`];
    const user = this.#context.file().users.get(name);
    const seconds = this.#attempts.admit(keys, performance.now());
    const checking =
      seconds > 0 ? undefined : this.#checks.check(password, user?.password ?? nobodysHash, known === undefined);
    const tried = { how: "password", subject: `user:${name.slice(0, 128)}` } as const;
    if (checking === undefined) {
      this.#log(message, { ...tried, result: "limited" });
      const wait = Math.max(seconds, 30);
      const { status, headers, body } = this.#page(to, `Too many attempts; try again in ${wait} seconds.`, 429);
      return { status, headers: { ...headers, "retry-after": String(wait) }, body };
    }
    const isRight = await checking;
    if (!isRight || user === undefined || password === "") {
      this.#log(message, { ...tried, result: "failed" });
      return this.#page(to, texts.wrong, 401);
    }
    this.#attempts.refund(keys);
    const knownCookie = this.#seal.seal("known", { name, id: known ?? randomUUID(), at: Date.now() });
    const more = [setCookie(KNOWN, knownCookie, KNOWN_SECONDS)];
    return this.#enter(request, { kind: "user", name, groups: user.groups }, "password", to, more);
  }

  async beginAtProvider({ message, search }: HttpRequest): Promise<HttpResponse> {
    if (this.provider === undefined) return notFound();
    const to = returnPath(new URLSearchParams(search).get("to"));
    try {
      const { url, flow } = await this.provider.begin();
      const value = this.#seal.seal("flow", { ...flow, to, at: Date.now() });
      return seeOther(url, [setCookie(flowCookie(flow.state), value, FLOW_SECONDS)]);
    } catch (error) {
      return this.#atProviderFailed(message, "unreachable", error, to);
    }
  }

  async answerCallback(request: HttpRequest): Promise<HttpResponse> {
    const { message, search } = request;
    if (this.provider === undefined) return notFound();
    const parameters = new URLSearchParams(search);
    const name = flowCookie(parameters.get("state") ?? "");
    const flow = this.#seal.open("flow", cookieOf(message, name) ?? "") as FlowInBrowser | undefined;
    if (flow === undefined || flow.state !== parameters.get("state") || Date.now() - flow.at > FLOW_SECONDS * 1000) {
      return this.#atProviderFailed(message, "notBegun", undefined, undefined);
    }
    const forgotten = setCookie(name, "", 0);
    let confirmed: Confirmed;
    try {
      confirmed = await this.provider.finish(parameters, flow);
    } catch (error) {
      const why = error instanceof Error && error.name === "ProviderUnreachable" ? "unreachable" : "refused";
      return this.#atProviderFailed(message, why, error, flow.to, [forgotten]);
    }
    return this.#enter(request, { kind: "sso", ...confirmed }, "oidc", flow.to, [forgotten]);
  }

  signOut({ message }: HttpRequest): HttpResponse {
    if (message.headers.origin !== this.origin) return foreignForm();
    const subject = this.#sessions.read(message, Date.now());
    const removed = this.#sessions.end(message, Date.now());
    if (subject !== undefined) this.#log(message, { event: "sign-out", subject: subjectText(subject) });
    return seeOther("/sign-in", [removed]);
  }

  close(): void {
    this.#checks.close();
  }

  /** Begins a session, unless nothing would be admitted. */
  #enter(
    { message }: HttpRequest,
    person: Person,
    how: "password" | "oidc",
    to: string | null,
    cookies: readonly string[],
  ): HttpResponse {
    const subject = subjectOf(person, this.#context.file());
    const about = { how, subject: subjectText(subject), role: subject.role } as const;
    if (!this.mayEnter(subject)) {
      this.#log(message, { ...about, result: "denied", why: "no group with a role" });
      return { ...deniedPage(deniedText(subject), returnPath(to)), cookies };
    }
    this.#log(message, { ...about, result: "ok" });
    return seeOther(returnPath(to), [...cookies, this.#sessions.begin(person, Date.now())]);
  }

  #page(to: string | null, problem: string | undefined, status = 200): HttpResponse {
    const hasUsers = this.#context.file().users.size > 0;
    return signInPage({ to: returnPath(to), problem, provider: this.provider?.label, hasUsers }, status);
  }

  /** Leads to another address, so that the provider's code is not in that of the page. */
  #atProviderFailed(
    message: IncomingMessage,
    why: keyof typeof texts,
    error: unknown,
    to: string | undefined,
    cookies: readonly string[] = [],
  ): HttpResponse {
    this.#log(message, { how: "oidc", result: "failed", why: error instanceof Error ? error.message : texts[why] });
    return seeOther(`${signInAddress(returnPath(to))}&why=${why}`, cookies);
  }

  /** The id of a browser in which this user has signed in before: what others try does not lock it out. */
  #knownBrowser(message: IncomingMessage, user: string): string | undefined {
    const known = this.#seal.open("known", cookieOf(message, KNOWN) ?? "") as
      | { readonly name: string; readonly id: string; readonly at: number }
      | undefined;
    const isOld = known !== undefined && Date.now() - known.at > KNOWN_SECONDS * 1000;
    return known === undefined || isOld || known.name !== user ? undefined : known.id;
  }

  #log(message: IncomingMessage, event: Partial<AuditEvent>): void {
    const { how, result } = event;
    if (how !== undefined) this.results.set(`${how} ${result}`, (this.results.get(`${how} ${result}`) ?? 0) + 1);
    this.#context.audit.log({ event: "sign-in", ...event, remote: peerOf(message).address, id: requestId(message) });
  }
}

/** What a browser keeps while its user is at the provider. */
interface FlowInBrowser extends Flow {
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** One for each sign-in that has begun, as several tabs may begin one. */
function flowCookie(state: string): `__Host-census-flow-${string}` {
  return `__Host-census-flow-${state.replaceAll(/[^\w-]/g, "").slice(0, 12)}`;
}

function deniedText({ name, role }: PersonSubject): string {
  if (role === undefined) return `You are signed in as ${name}, but none of your groups may use Census.`;
  return `You are signed in as ${name} with the role ${role}, which may not open this page.`;
}

function signInAddress(to: string): string {
  return `/sign-in?to=${encodeURIComponent(to)}`;
}

function foreignForm(): HttpResponse {
  return textResponse("Forbidden: this form was sent by another page than the one of this service.", 403);
}

function seeOther(location: string, cookies: readonly string[] = []): HttpResponse {
  return { status: 303, headers: { location, "referrer-policy": "no-referrer" }, cookies, body: "" };
}
