import { writeFile } from "node:fs/promises";
import { type ServiceOptions, startService } from "#app/service.ts";
import { accessFileText, emptyAccessFile, type AccessFile, type TokenEntry } from "#app/sign-in/access-file.ts";
import { createToken } from "#app/sign-in/tokens.ts";
import type { AuditEvent } from "#app/sign-in/audit.ts";
import type { Store } from "#storage/store.ts";
import { as, keptLog, openSite, type Person, send, type Sent, type Site } from "#test/app/listeners/site.ts";
import { emptyStore } from "#test/fixture-store.ts";

export type { Got } from "#test/app/listeners/site.ts";

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
  readonly plain: (path: string, sent?: Sent) => ReturnType<typeof send>;
  readonly tls: (path: string, person: Person, sent?: Sent) => ReturnType<typeof send>;
}

/** Serves a store over plain HTTP and TLS with `client-auth = want`, with tokens. */
export async function serveWithAccess(
  fill: (access: Access) => void,
  options: Partial<ServiceOptions> & { readonly policy?: unknown } = {},
): Promise<Served> {
  const site = await openSite();
  const access = new Access(site.path("access.json"));
  fill(access);
  await access.write();
  const log = keptLog();
  const audit: Served["audit"] = [];
  const store = options.store ?? (await emptyStore());
  const { policy, ...rest } = options;
  const rules =
    policy === undefined ? {} : { access: { policy: await site.write("policy.json", JSON.stringify(policy)) } };
  const service = await startService({
    plain: { host: "127.0.0.1", port: 0 },
    tls: { ...site.tls, clientAuth: "want" },
    signIn: { accessFile: access.path, onAudit: (line) => audit.push(JSON.parse(line) as AuditEvent) },
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
    plain: (path, sent = {}) => send(service.plainUrl ?? "", { path, ...sent }),
    tls: (path, person, sent = {}) => send(service.tlsUrl ?? "", { path, ...as(site, person), ...sent }),
    [Symbol.asyncDispose]: async () => {
      await service.close();
      await store.close();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Waits until a condition holds, and returns the milliseconds that it took. */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = 5000): Promise<number> {
  const began = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - began;
}
