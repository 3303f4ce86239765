import { writeFile } from "node:fs/promises";
import { type ServiceOptions, startService } from "#app/service.ts";
import {
  accessFileText,
  emptyAccessFile,
  type AccessFile,
  type TokenEntry,
  type UserEntry,
} from "#app/sign-in/access-file.ts";
import { hashPassword } from "#app/sign-in/password-hash.ts";
import type { PeopleSettings } from "#app/sign-in/people.ts";
import type { Role } from "#app/access/roles.ts";
import { createToken } from "#app/sign-in/tokens.ts";
import type { AuditEvent } from "#app/sign-in/audit.ts";
import type { Store } from "#storage/store.ts";
import { as, type Got, keptLog, openSite, type Person, send, type Sent, type Site } from "#test/app/listeners/site.ts";
import { emptyStore } from "#test/fixture-store.ts";

export type { Got } from "#test/app/listeners/site.ts";

export const PASSWORD = "correct horse battery staple";
const passwordHash = hashPassword(PASSWORD);

/** Tokens and users of a test, and the file with them. */
export class Access {
  readonly path: string;
  readonly tokens: Record<string, string> = {};
  content: AccessFile = emptyAccessFile;

  constructor(path: string) {
    this.path = path;
  }

  /** Adds a token of this name. */
  token(name: string, entry: Pick<TokenEntry, "may"> & Partial<TokenEntry>): void {
    const { id, token, sha256 } = createToken();
    this.tokens[name] = token;
    const whole = { created: "2026-01-01T00:00:00Z", expires: null, ...entry, name, sha256 };
    this.content = { ...this.content, tokens: new Map([...this.content.tokens, [id, whole]]) };
  }

  /** Adds a user of this name, whose password is {@link PASSWORD}. */
  user(name: string, entry: Partial<UserEntry> = { role: "reader" }): void {
    const whole = { password: passwordHash, groups: [], ...entry };
    this.content = { ...this.content, users: new Map([...this.content.users, [name, whole]]) };
  }

  group(name: string, role: Role): void {
    this.content = { ...this.content, groups: new Map([...this.content.groups, [name, role]]) };
  }

  async write(): Promise<void> {
    await writeFile(this.path, accessFileText(this.content));
  }
}

export interface Served extends AsyncDisposable {
  readonly site: Site;
  readonly store: Store;
  readonly access: Access;
  readonly log: ReturnType<typeof keptLog>;
  readonly audit: (AuditEvent & { count?: number })[];
  readonly url: string;
  readonly peopleUrl: string;
  readonly plain: (path: string, sent?: Sent) => ReturnType<typeof send>;
  readonly tls: (path: string, person: Person, sent?: Sent) => ReturnType<typeof send>;
}

/** Serves a store over plain HTTP and TLS with `client-auth = want`, with tokens. */
export async function serveWithAccess(
  fill: (access: Access) => void,
  options: Partial<ServiceOptions> & {
    readonly policy?: unknown;
    readonly people?: Partial<PeopleSettings>;
    readonly directory?: string;
  } = {},
): Promise<Served> {
  const site = await openSite();
  const access = new Access(site.path("access.json"));
  fill(access);
  await access.write();
  const log = keptLog();
  const audit: Served["audit"] = [];
  const store = options.store ?? (await emptyStore());
  const { policy, people, directory, ...rest } = options;
  const rules =
    policy === undefined ? {} : { access: { policy: await site.write("policy.json", JSON.stringify(policy)) } };
  const service = await startService({
    plain: { host: "127.0.0.1", port: 0 },
    tls: { ...site.tls, clientAuth: "want" },
    signIn: {
      accessFile: access.path,
      directory,
      onAudit: (line) => audit.push(JSON.parse(line) as AuditEvent),
      people: people && { ...peopleDefaults(site), ...people },
    },
    ...rules,
    ...rest,
    store,
    log,
  });
  return {
    site,
    store,
    access,
    log,
    audit,
    url: service.tlsUrl ?? "",
    peopleUrl: service.peopleUrl ?? "",
    plain: (path, sent = {}) => send(service.plainUrl ?? "", { path, ...sent }),
    tls: (path, person, sent = {}) => send(service.tlsUrl ?? "", { path, ...as(site, person), ...sent }),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await store.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

function peopleDefaults({ tls: { cert, key } }: Site): PeopleSettings {
  return {
    host: "127.0.0.1",
    port: 0,
    tls: { cert, key },
    url: undefined,
    proxies: [],
    proxyHeaders: { user: undefined, groups: undefined },
    sessionKeyFile: undefined,
    idleMs: 3_600_000,
    lifetimeMs: 12 * 3_600_000,
    oidc: undefined,
  };
}

/** Somebody with a browser: keeps cookies, and says where its requests come from as browsers do. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;
  readonly #ca: string;

  constructor({ peopleUrl, site }: Pick<Served, "peopleUrl" | "site">) {
    this.#origin = peopleUrl;
    this.#ca = site.authority.cert;
  }

  /** Opens a page of this service, without following where it leads. */
  async open(path: string): Promise<Got> {
    return this.#send(path, { headers: { accept: "text/html", "sec-fetch-mode": "navigate" } });
  }

  /** A request of the pages. */
  async get(path: string, sent: Sent = {}): Promise<Got> {
    const headers = { accept: "application/json", "sec-fetch-site": "same-origin", ...sent.headers };
    return this.#send(path, { ...sent, headers });
  }

  async post(path: string, form: Readonly<Record<string, string>>, origin = this.#origin): Promise<Got> {
    const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
    return this.#send(path, { method: "POST", headers, body: new URLSearchParams(form).toString() });
  }

  async signIn(user: string, password = PASSWORD, to = "/explorer/"): Promise<Got> {
    return this.post("/sign-in", { user, password, to });
  }

  async #send(path: string, { headers, ...sent }: Sent): Promise<Got> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const all = { ...headers, ...(cookie === "" ? {} : { cookie }) };
    const got = await send(this.#origin, { path, ca: this.#ca, ...sent, headers: all });
    for (const text of got.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (/Max-Age=0/.test(text)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return got;
  }
}

/** Waits until a condition holds; the test's own time limit ends it. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}
