import * as oauth from "oauth4webapi";
import { messageOf } from "#storage/errors.ts";
import { readNamedFile } from "../listeners/named-file.ts";
import { providerFetch } from "./provider-fetch.ts";

/** Settings of an OpenID Connect provider. Paths are absolute. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client, with PKCE. */
  readonly clientSecretFile: string | undefined;
  /** The authority of the provider's certificate; undefined: those that Node trusts. */
  readonly caCert: string | undefined;
  readonly scopes: string;
  /** The claims with a person's name and groups. */
  readonly userClaim: string;
  readonly groupsClaim: string;
  /** The link to the provider. */
  readonly label: string;
}

/** What a sign-in at the provider that has begun is finished with. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Whom the provider has confirmed. */
export interface Confirmed {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Seconds by which clocks may differ. */
const TOLERANCE = 60;

/** The provider cannot be reached, or answers nothing useful. */
export class ProviderUnreachable extends Error {}

/**
 * Sign-in at an OpenID Connect provider: authorization code with PKCE, state and nonce. The provider's description and keys are
 * fetched for each sign-in, so that a change or an outage there is over when it is over.
 */
export class Provider {
  /** Why the provider could not be reached the last time, and since when; undefined: it could. */
  problem: { readonly text: string; readonly since: string } | undefined;
  readonly #settings: OidcSettings;
  readonly #redirectUri: () => string;

  /** @param redirectUri the address to which the provider sends people back */
  constructor(settings: OidcSettings, redirectUri: () => string) {
    this.#settings = settings;
    this.#redirectUri = redirectUri;
  }

  get label(): string {
    return this.#settings.label;
  }

  /** @throws ProviderUnreachable */
  async begin(): Promise<{ readonly url: string; readonly flow: Flow }> {
    const { server } = await this.#reach();
    const flow = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
    const url = new URL(server.authorization_endpoint ?? "");
    const parameters = {
      client_id: this.#settings.clientId,
      redirect_uri: this.#redirectUri(),
      response_type: "code",
      scope: this.#settings.scopes,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, flow };
  }

  /**
   * @param parameters with which the provider sent somebody back
   * @throws ProviderUnreachable; Error for anything that the provider did not confirm
   */
  async finish(parameters: URLSearchParams, { state, nonce, verifier }: Flow): Promise<Confirmed> {
    const { server, options, secret } = await this.#reach();
    const client: oauth.Client = { client_id: this.#settings.clientId, [oauth.clockTolerance]: TOLERANCE };
    const accepted = oauth.validateAuthResponse(server, client, parameters, state);
    const authentication = clientAuthentication(server, secret);
    const redirectUri = this.#redirectUri();
    const granted = await reaching(() =>
      oauth.authorizationCodeGrantRequest(server, client, authentication, accepted, redirectUri, verifier, options),
    );
    const expected = { expectedNonce: nonce, requireIdToken: true };
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, granted, expected);
    await oauth.validateApplicationLevelSignature(server, granted, options);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined) throw new Error("the provider sent no id token");
    const { userClaim, groupsClaim } = this.#settings;
    const isWhole = claims[userClaim] !== undefined && claims[groupsClaim] !== undefined;
    if (isWhole || server.userinfo_endpoint === undefined) return this.#confirmed(claims);
    const answered = await reaching(() => oauth.userInfoRequest(server, client, tokens.access_token, options));
    return this.#confirmed({
      ...(await oauth.processUserInfoResponse(server, client, claims.sub, answered)),
      ...claims,
    });
  }

  /** @throws ProviderUnreachable */
  async #reach(): Promise<Reached> {
    try {
      const reached = await reachProvider(this.#settings);
      this.problem = undefined;
      return reached;
    } catch (error) {
      this.problem = { text: messageOf(error), since: this.problem?.since ?? new Date().toISOString() };
      throw new ProviderUnreachable(this.problem.text, { cause: error });
    }
  }

  #confirmed(claims: Readonly<Record<string, unknown>>): Confirmed {
    const { userClaim, groupsClaim } = this.#settings;
    const [name, groups] = [claims[userClaim], claims[groupsClaim] ?? []];
    if (typeof name !== "string" || name === "") throw new Error(`the provider sent no claim ${userClaim}`);
    return { name, groups: [groups].flat().filter((group): group is string => typeof group === "string") };
  }
}

interface Reached {
  readonly server: oauth.AuthorizationServer;
  readonly secret: string | undefined;
  /** The provider's clock, milliseconds since the epoch; undefined: it does not say. */
  readonly date: number | undefined;
  readonly options: { readonly [oauth.customFetch]: ReturnType<typeof providerFetch> };
}

/**
 * Reads the description of a provider.
 * @throws Error that says what is wrong with it; CensusError "bad-file" for a file of the settings
 */
export async function reachProvider(settings: OidcSettings): Promise<Reached> {
  const { issuer, caCert, clientSecretFile } = settings;
  const ca = caCert && (await readNamedFile("oidc-ca-cert", caCert));
  const secret = clientSecretFile && (await readNamedFile("oidc-client-secret-file", clientSecretFile));
  const options = { [oauth.customFetch]: providerFetch(ca) };
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, options);
  const date = Date.parse(response.headers.get("date") ?? "");
  const server = await oauth.processDiscoveryResponse(url, response);
  return { server, secret: secret?.trim(), options, date: Number.isNaN(date) ? undefined : date };
}

function clientAuthentication(server: oauth.AuthorizationServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
  return methods.includes("client_secret_basic") ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

async function reaching<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    throw new ProviderUnreachable(messageOf(error), { cause: error });
  }
}
