import type { OidcSettings } from "../sign-in/oidc.ts";
import type { PeopleSettings } from "../sign-in/people.ts";
import type { SignInOptions } from "../sign-in/sign-in.ts";
import { hasTls } from "./http.ts";
import type { Values } from "./table.ts";
import type { Chosen } from "./values.ts";

/** Settings of tokens and people. Paths are absolute. */
export interface SignInSettings extends Omit<SignInOptions, "onAudit" | "directory"> {
  /** Undefined: the log. */
  readonly auditLog: string | undefined;
}

/** Undefined: neither tokens nor people are recognised. */
export function readSignIn({ jetty, census }: Values, chosen: Chosen): SignInSettings | undefined {
  const { "access-file": accessFile, "audit-log": auditLog, "people-port": port } = census;
  const { "people-url": url, "people-proxies": proxies = [], "session-key-file": sessionKeyFile } = census;
  const settings: Omit<PeopleSettings, "port"> = {
    host: census["people-host"],
    tls: readTls(census, jetty, hasTls(chosen) && proxies.length === 0),
    url,
    proxies,
    proxyHeaders: {
      user: census["people-proxy-user-header"]?.toLowerCase(),
      groups: census["people-proxy-groups-header"]?.toLowerCase(),
    },
    sessionKeyFile,
    idleMs: Number(census["session-idle"] / 1000n),
    lifetimeMs: Number(census["session-lifetime"] / 1000n),
    oidc: readOidc(census),
  };
  const people = port === undefined ? undefined : { port, ...settings };
  return accessFile === undefined && people === undefined ? undefined : { accessFile, auditLog, people };
}

/** The certificate for browsers, else that of the TLS listener. */
function readTls(census: Values["census"], jetty: Values["jetty"], isLikeTls: boolean): PeopleSettings["tls"] {
  const { "people-cert": own, "people-key": ownKey, "people-cert-chain": ownChain } = census;
  const { "ssl-protocols": protocols, "cipher-suites": cipherSuites } = jetty;
  const cert = own ?? (isLikeTls ? jetty["ssl-cert"] : undefined);
  const key = own === undefined ? jetty["ssl-key"] : ownKey;
  const certChain = own === undefined ? jetty["ssl-cert-chain"] : ownChain;
  // That a certificate has its key has been checked by a rule of its own.
  if (cert === undefined || key === undefined) return undefined;
  return {
    cert,
    key,
    ...(certChain === undefined ? {} : { certChain }),
    ...(protocols === undefined ? {} : { protocols }),
    ...(cipherSuites === undefined ? {} : { cipherSuites }),
  };
}

function readOidc(census: Values["census"]): OidcSettings | undefined {
  const { "oidc-issuer": issuer, "oidc-client-id": clientId } = census;
  const settings = {
    clientSecretFile: census["oidc-client-secret-file"],
    caCert: census["oidc-ca-cert"],
    scopes: census["oidc-scopes"],
    userClaim: census["oidc-user-claim"],
    groupsClaim: census["oidc-groups-claim"],
    label: census["oidc-label"],
  };
  return issuer === undefined || clientId === undefined ? undefined : { issuer, clientId, ...settings };
}
