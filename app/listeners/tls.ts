import { constants } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import { messageOf } from "#storage/errors.ts";
import { type Clock, systemClock } from "#storage/time.ts";
import { addressOf, urlOf } from "./address.ts";
import { readCiphers } from "./ciphers.ts";
import { type CredentialFiles, readCredentials } from "./credentials.ts";
import { Connections } from "./connections.ts";
import { guardServer } from "./guard-server.ts";
import { limit, type RequestLimits } from "./limits.ts";
import { listenError } from "./listen-error.ts";
import type { ListenerLog } from "./log.ts";
import type { Listener } from "./plain.ts";
import { readProtocols } from "./protocols.ts";
import { refuseBadCertificates, reportRefusals } from "./refused-connections.ts";

/** Settings of the listener with encryption: `[jetty] ssl-host`, `ssl-port` and so on (`reference/http.md §7.2`). */
export interface TlsOptions extends CredentialFiles {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** `ssl-protocols`; default TLSv1.2 and TLSv1.3 */
  readonly protocols?: readonly string[];
  /** `cipher-suites`, by their standard names or OpenSSL's */
  readonly cipherSuites?: readonly string[];
  /** `client-auth`; default `need`: a valid certificate is required. `want`: none, or a valid one. */
  readonly clientAuth?: ClientAuth;
  /** Clock for the validity of certificates. Default: the machine's clock, which OpenSSL uses. */
  readonly clock?: Clock;
  /** Called with each connection before its handshake. */
  readonly accept?: (socket: Socket) => void;
}

/** What clients must present: the values of `client-auth`. */
export type ClientAuth = "need" | "want" | "none";

/** A listener whose certificates can be replaced. */
export interface TlsListener extends Listener {
  /**
   * Reads the files again. If the authorities or revocation lists have changed, closes all connections after their responses
   * in progress, so that clients present their certificates again. If the files are invalid, keeps the old ones and logs
   * why. Never throws.
   */
  reload(): Promise<void>;
}

/** Maximum milliseconds of a handshake. */
const HANDSHAKE_MS = 10_000;

/** Milliseconds between two checks for requests that take too long. */
const LOOK_MS = 5_000;

/**
 * Listens with TLS 1.2 and 1.3. Clients present a certificate of the authority that is neither expired nor revoked.
 * @throws PortTaken; CensusError "bad-file" naming the file and what is wrong with it, or the address that is not ours;
 * "bad-input" naming the setting
 */
export async function openTls(
  handler: RequestListener,
  options: TlsOptions,
  limits: RequestLimits,
  log: ListenerLog,
  connections = new Connections(limits, log),
): Promise<TlsListener> {
  const { host, port, clientAuth = "need" } = options;
  const address = await addressOf(host, port);
  let context = await readContext(options, log);
  const server = createServer({
    ...context,
    requestCert: clientAuth !== "none",
    rejectUnauthorized: clientAuth === "need",
    handshakeTimeout: HANDSHAKE_MS,
    connectionsCheckingInterval: LOOK_MS,
  });
  server.on("request", handler);
  limit(server, limits);
  guardServer(server, log);
  if (clientAuth === "want") refuseBadCertificates(server);
  if (options.accept !== undefined) server.on("connection", options.accept);
  if (clientAuth !== "need" && options.settings !== "people")
    log.warn(`client-auth = ${clientAuth}: clients without a certificate are accepted`);
  reportRefusals(server, log);
  const { close, renew } = connections.follow(server);
  await listen(server, address, port).catch((error: unknown) => {
    throw listenError(host, port, `--${options.settings ?? "ssl"}-port`, error);
  });
  const url = urlOf("https", host, (server.address() as AddressInfo).port);
  const reload = async (): Promise<void> => {
    try {
      const [before, after] = [context, await readContext(options, log)];
      server.setSecureContext((context = after));
      if (trustOf(before) !== trustOf(after)) renew();
      log.notice(`${url}: reloaded certificates`);
    } catch (error) {
      log.warn(`${url}: keeping the current certificates: ${messageOf(error)}`);
    }
  };
  return { url, close, reload };
}

/**
 * Checks the files and settings that a listener would be opened with.
 * @returns lines of warning
 * @throws CensusError as {@link openTls}; an error of OpenSSL's for files that it does not accept, e.g. too short a key
 */
export async function checkTls(options: TlsOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  createSecureContext(await readContext(options, { notice: () => undefined, warn: (line) => lines.push(line) }));
  return lines;
}

/** Reads files and settings. A new context invalidates session tickets, so a revoked client cannot resume a session. */
async function readContext(options: TlsOptions, log: ListenerLog): Promise<SecureContextOptions> {
  const { clock = systemClock } = options;
  const { warnings: protocolWarnings, ...range } = readProtocols(options.protocols);
  const ciphers = readCiphers(options.cipherSuites);
  const { warnings, cert, key, ca, crl } = await readCredentials(options, Number(clock.now() / 1000n));
  for (const line of [...protocolWarnings, ...warnings]) log.warn(line);
  return {
    ...range,
    ciphers,
    honorCipherOrder: true,
    dhparam: "auto",
    // With renegotiation, the client of a connection could change.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    cert,
    key,
    ca: [...ca],
    ...(crl === undefined ? {} : { crl: [...crl] }),
  };
}

/** The files that decide which certificates are accepted. */
function trustOf({ ca, crl }: SecureContextOptions): string {
  return JSON.stringify([ca, crl]);
}

async function listen(server: Server, address: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
