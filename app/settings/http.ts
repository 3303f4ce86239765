import type { AccessLogFormat } from "../listeners/access-log.ts";
import type { RequestLimits } from "../listeners/limits.ts";
import type { PlainOptions } from "../listeners/plain.ts";
import type { TlsOptions } from "../listeners/tls.ts";
import type { Given } from "./sources/given.ts";
import type { Declared, Values } from "./table.ts";
import { type Chosen, keyOf } from "./values.ts";

/** Where the service listens, and how it treats requests. Paths are absolute. */
export interface HttpSettings {
  /** Undefined: TLS only. */
  readonly plain: PlainOptions | undefined;
  /** Undefined: no TLS. */
  readonly tls: TlsOptions | undefined;
  readonly limits: RequestLimits;
  /** Bytes of any body; undefined: no limit. */
  readonly bodyMaxSize: number | undefined;
  /** Bytes of a query's body, unpacked. */
  readonly queryBodyMaxSize: number;
  /** Milliseconds for running requests when the service ends. */
  readonly shutdownMs: number;
  /** Compress responses for clients that accept it. */
  readonly gzip: boolean;
  /** Undefined: no access log. */
  readonly accessLog: { readonly path: string; readonly format: AccessLogFormat } | undefined;
}

/** Whether TLS is configured, by PuppetDB's rules. */
export function hasTls(chosen: Chosen): boolean {
  return isGiven(chosen, "ssl-host", "ssl-port");
}

/** Whether there is a plain listener: without any setting there is one; next to TLS only if a setting names it. */
export function hasPlain(chosen: Chosen): boolean {
  return !hasTls(chosen) || isGiven(chosen, "host", "port");
}

/** Why a setting of `[jetty]` has no effect, if it has none. */
export function unusedBecause(
  { section, name }: Pick<Declared, "section" | "name">,
  chosen: Chosen,
): string | undefined {
  if (section !== "jetty") return undefined;
  if (!hasPlain(chosen) && (name === "host" || name === "port")) return "no plain listener because TLS is on";
  return !hasTls(chosen) && (name === "ssl-host" || name === "ssl-port") ? "no TLS" : undefined;
}

/** Settings that show that TLS is wanted. */
const FILES_OF_TLS = ["ssl-cert", "ssl-key", "ssl-ca-cert", "ssl-cert-chain", "ssl-crl-path"] as const;

/** The setting of TLS that was given although TLS is off, as with PuppetDB; undefined: there is none. */
export function tlsWithoutListener(chosen: Chosen): Given | undefined {
  if (hasTls(chosen)) return undefined;
  return FILES_OF_TLS.map((name) => chosen.get(keyOf({ section: "jetty", name }))).find((given) => given !== undefined);
}

/** Puts the settings about HTTP together. */
export function readHttp({ jetty, census }: Values, chosen: Chosen): HttpSettings {
  const { host, port } = jetty;
  const { "access-log": path, "access-log-format": format } = census;
  return {
    plain: hasPlain(chosen) ? { host, port, allowPlainHttp: census["allow-plain-http"] } : undefined,
    tls: hasTls(chosen) ? readTls(jetty) : undefined,
    limits: {
      headerBytes: jetty["request-header-max-size"],
      headersMs: Number(census["header-timeout"] / 1000n),
      requestMs: Number(census["request-timeout"] / 1000n),
      idleMs: jetty["idle-timeout-milliseconds"],
      stallMs: Number(census["body-pause-timeout"] / 1000n),
      connections: census["max-connections"],
    },
    bodyMaxSize: jetty["request-body-max-size"],
    queryBodyMaxSize: census["query-body-max-size"],
    shutdownMs: jetty["shutdown-timeout-seconds"],
    gzip: jetty["gzip-enable"],
    accessLog: path === undefined ? undefined : { path, format },
  };
}

function readTls(jetty: Values["jetty"]): TlsOptions | undefined {
  const { "ssl-host": host, "ssl-port": port, "client-auth": clientAuth } = jetty;
  const { "ssl-cert": cert, "ssl-key": key, "ssl-ca-cert": caCert } = jetty;
  const { "ssl-cert-chain": certChain, "ssl-crl-path": crl } = jetty;
  const { "ssl-protocols": protocols, "cipher-suites": cipherSuites } = jetty;
  // That the files exist has been checked by a rule of its own.
  if (cert === undefined || key === undefined || caCert === undefined) return undefined;
  return {
    host,
    port,
    clientAuth,
    cert,
    key,
    caCert,
    ...(certChain === undefined ? {} : { certChain }),
    ...(crl === undefined ? {} : { crl }),
    ...(protocols === undefined ? {} : { protocols }),
    ...(cipherSuites === undefined ? {} : { cipherSuites }),
  };
}

function isGiven(chosen: Chosen, ...names: readonly string[]): boolean {
  return names.some((name) => chosen.has(keyOf({ section: "jetty", name })));
}
