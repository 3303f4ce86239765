import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { OidcSettings } from "#app/sign-in/oidc.ts";
import type { Site } from "#test/app/listeners/site.ts";

/** Who signs in at the provider, with which groups. */
export interface Account {
  readonly name: string;
  readonly groups?: readonly string[];
}

export interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  /** For a service that knows the site's authority. */
  readonly settings: OidcSettings;
  /** Who signs in next. */
  account: Account;
  /** Requests that exchanged a code. */
  exchanges: number;
}

/** The parts of panva's provider that are used; it has no types. */
interface ProviderModule {
  readonly Provider: new (
    issuer: string,
    configuration: object,
  ) => {
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  };
}

const PROVIDER: string = "oidc-provider";

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(site: Site, handleOf: (issuer: string) => Handle): Promise<{ issuer: string } & AsyncDisposable> {
  const own = site.authority.issue({ name: "sso.example.com", at: ["127.0.0.1"] });
  const server = createServer({ cert: own.cert, key: own.key });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.on("request", handleOf(issuer));
  return {
    issuer,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function settingsOf(site: Site, issuer: string): Promise<OidcSettings> {
  return {
    issuer,
    clientId: "census",
    clientSecretFile: await site.write("oidc-secret", "a secret of the client, long enough\n"),
    caCert: await site.write("oidc-ca.pem", site.authority.cert),
    scopes: "openid profile",
    userClaim: "preferred_username",
    groupsClaim: "groups",
    label: "Sign in with SSO",
  };
}

/** A real provider: panva's, which signs its account in without a form. @param origins of services that it knows */
export async function openProvider(site: Site, origins: readonly string[], inIdToken = true): Promise<RunningProvider> {
  const state = { account: { name: "alice", groups: ["ops"] } as Account, exchanges: 0 };
  const { Provider } = (await import(PROVIDER)) as ProviderModule;
  const listener = await listen(site, (issuer) => {
    const client = {
      client_id: "census",
      client_secret: "a secret of the client, long enough",
      redirect_uris: origins.map((origin) => `${origin}/sign-in/callback`),
    };
    const provider = new Provider(issuer, {
      clients: [client],
      claims: { openid: ["sub"], profile: ["preferred_username", "groups"] },
      conformIdTokenClaims: !inIdToken,
      cookies: { keys: ["a key of the test"] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, preferred_username: accountId, groups: state.account.groups }),
      }),
      loadExistingGrant: async ({ oidc }: GrantContext) => {
        const { accountId } = oidc.session;
        const grant = new oidc.provider.Grant({ clientId: "census", accountId });
        grant.addOIDCScope("openid profile");
        await grant.save();
        return grant;
      },
    });
    const handle = provider.callback();
    return (request, response) => {
      const { url = "" } = request;
      if (url.startsWith("/token")) state.exchanges++;
      if (!url.startsWith("/interaction/")) return handle(request, response);
      return provider.interactionFinished(request, response, { login: { accountId: state.account.name } });
    };
  });
  return Object.assign(state, { ...listener, settings: await settingsOf(site, listener.issuer) });
}

interface GrantContext {
  readonly oidc: {
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> };
    };
  };
}

/** The claims and the head of an id token, of which a hostile provider changes some. */
export interface Forged {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly algorithm?: string;
  /** Signed with another key than the published one. */
  readonly isForeign?: boolean;
}

export interface Forger extends RunningProvider {
  forged: Forged;
  /** Publishes and uses another key from now on. */
  rotate(): void;
}

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

const jwkOf = (key: KeyObject) => {
  const jwk = key.export({ format: "jwk" });
  return { ...jwk, alg: "RS256", use: "sig", kid: createHash("sha256").update(String(jwk.n)).digest("hex") };
};

/** A provider of our own whose tokens are wrong in one respect. */
export async function openForger(site: Site): Promise<Forger> {
  const foreign = pair();
  let own = pair();
  let nonce = "";
  const state = { account: { name: "alice", groups: ["ops"] } as Account, exchanges: 0, forged: {} as Forged };
  const listener = await listen(site, (issuer) => async (request, response) => {
    const url = new URL(request.url ?? "", issuer);
    const json = (value: unknown): unknown =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/.well-known/openid-configuration") {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (url.pathname === "/jwks") return json({ keys: [jwkOf(own.publicKey)] });
    if (url.pathname === "/auth") {
      nonce = url.searchParams.get("nonce") ?? "";
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "a code");
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      return response.writeHead(303, { location: back.href }).end();
    }
    await text(request);
    state.exchanges++;
    const { claims, algorithm = "RS256", isForeign = false } = state.forged;
    const seconds = Math.floor(Date.now() / 1000);
    const { name, groups } = state.account;
    const whole = { iss: issuer, aud: "census", sub: name, preferred_username: name, groups, nonce };
    const head = { alg: algorithm, kid: jwkOf(own.publicKey).kid };
    const parts = [head, { ...whole, iat: seconds, exp: seconds + 60, ...claims }];
    const content = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const key = isForeign ? foreign.privateKey : own.privateKey;
    const signature = algorithm === "none" ? "" : sign("sha256", Buffer.from(content), key).toString("base64url");
    return json({ access_token: "x", token_type: "Bearer", id_token: `${content}.${signature}` });
  });
  const rotate = (): void => void (own = pair());
  return Object.assign(state, { ...listener, rotate, settings: await settingsOf(site, listener.issuer) });
}
