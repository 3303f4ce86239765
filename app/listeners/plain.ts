import type { RequestListener } from "node:http";
import type { listen as Listen } from "listhen";
import { CensusError } from "#storage/errors.ts";
import { addressOf, isLoopback, urlOf } from "./address.ts";
import { Connections } from "./connections.ts";
import { guardServer } from "./guard-server.ts";
import { limit, type RequestLimits } from "./limits.ts";
import { listenError } from "./listen-error.ts";
import type { ListenerLog } from "./log.ts";

/** Settings of the listener without encryption: `[jetty] host` and `port`. */
export interface PlainOptions {
  /** A name or an address. */
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Allow addresses other than loopback: without encryption clients are not authenticated and traffic can be read. */
  readonly allowPlainHttp?: boolean;
}

/** A listener that is open. */
export interface Listener {
  /** e.g. `http://127.0.0.1:8080` */
  readonly url: string;
  /** Stops accepting, waits for responses in progress, and closes the remaining connections after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** Preloads what listening needs, while the caller waits for something else. */
export async function loadListener(): Promise<typeof Listen> {
  const { listen } = await import("listhen");
  return listen;
}

/**
 * Listens without encryption, with listhen restricted to the given port, without its signal handlers and output.
 * @throws PortTaken; CensusError "bad-file" when the address is not ours, "bad-input" when it is beyond loopback and
 * `allowPlainHttp` is off
 */
export async function openPlain(
  handler: RequestListener,
  { host, port, allowPlainHttp = false }: PlainOptions,
  limits: RequestLimits,
  log: ListenerLog,
  connections = new Connections(limits, log),
): Promise<Listener> {
  const address = await checkPlain({ host, port, allowPlainHttp });
  if (!isLoopback(address)) {
    log.warn(`plain HTTP on ${host}: every client that can connect may read and change all data, without encryption`);
  }
  // Load on demand: no other command listens.
  const listen = await loadListener();
  try {
    const { server } = await listen(handler, {
      hostname: address,
      port: port === 0 ? { random: true, host: address } : port,
      isProd: true,
      isTest: false,
      autoClose: false,
      showURL: false,
    });
    limit(server, limits);
    guardServer(server, log);
    const bound = server.address();
    const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
    return { url: urlOf("http", host, boundPort), close: connections.follow(server).close };
  } catch (error) {
    throw listenError(host, port, "--port", error);
  }
}

/**
 * The address that a plain listener is opened on.
 * @throws CensusError "bad-file" when the name is unknown, "bad-input" when it is beyond loopback and that is not allowed
 */
export async function checkPlain({ host, port, allowPlainHttp = false }: PlainOptions): Promise<string> {
  const address = await addressOf(host, port);
  if (!isLoopback(address) && !allowPlainHttp) throw new CensusError("bad-input", beyondLoopback(host));
  return address;
}

function beyondLoopback(host: string): string {
  return (
    `plain HTTP on ${host} would be exposed to the network; ` +
    "use ssl-host and ssl-port with certificates, listen on 127.0.0.1, or add --allow-plain-http"
  );
}
