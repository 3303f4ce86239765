import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { addressOf, urlOf } from "./address.ts";
import type { Connections } from "./connections.ts";
import { guardServer } from "./guard-server.ts";
import { limit, type RequestLimits } from "./limits.ts";
import { listenError } from "./listen-error.ts";
import type { ListenerLog } from "./log.ts";
import { markPeople } from "./peer.ts";
import type { TlsListener, TlsOptions } from "./tls.ts";

/** The listener for people: it requests no certificate. */
export interface PeopleListenerOptions {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  /** Its certificate, which browsers trust; undefined: plain HTTP, behind proxies. */
  readonly tls: Pick<TlsOptions, "cert" | "key" | "certChain" | "protocols" | "cipherSuites"> | undefined;
  /** Addresses that may connect; absent: all. */
  readonly isProxy?: (address: string) => boolean;
  /** The client's address of a request that a proxy has passed on. */
  readonly clientOf?: (request: IncomingMessage, address: string) => string;
}

/**
 * Listens for people.
 * @throws as `openTls`
 */
export async function openPeople(
  handler: RequestListener,
  { host, port, tls, isProxy, clientOf }: PeopleListenerOptions,
  limits: RequestLimits,
  log: ListenerLog,
  connections: Connections,
): Promise<TlsListener> {
  const handle: RequestListener = (request, response) => {
    markPeople(request.socket, clientOf);
    handler(request, response);
  };
  const accept = (socket: Socket): void => {
    const address = socket.remoteAddress ?? "";
    if (isProxy === undefined || isProxy(address)) return;
    log.warn(`connection from ${address} refused: it is none of people-proxies`);
    socket.destroy();
  };
  if (tls !== undefined) {
    const { openTls } = await import("./tls.ts");
    const options = { ...tls, host, port, caCert: tls.cert, clientAuth: "none", settings: "people", accept } as const;
    return openTls(handle, options, limits, log, connections);
  }
  const address = await addressOf(host, port);
  const server = createServer();
  server.on("request", handle);
  server.on("connection", accept);
  limit(server, limits);
  guardServer(server, log);
  const { close } = connections.follow(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw listenError(host, port, "--people-port", error);
  });
  const url = urlOf("http", host, (server.address() as AddressInfo).port);
  return { url, close, reload: () => Promise.resolve() };
}
