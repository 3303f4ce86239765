import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The client of a connection. */
export interface Peer {
  readonly listener: "plain" | "tls" | "people";
  /** IP address; empty if the connection is closed already. */
  readonly address: string;
  /** The common name of the certificate that was presented and verified. */
  readonly certname?: string;
  /** Whether such a certificate was presented, but has no common name, or several. */
  readonly isUnnamed?: boolean;
}

/** Read once per connection, since it is expensive; it cannot change because renegotiation is off. */
const known = new WeakMap<Socket, Peer>();

/** How the address of a client is found whose request a proxy has passed on, by the proxy's connection. */
const forwarded = new WeakMap<Socket, (request: IncomingMessage, address: string) => string>();

/**
 * Marks a connection of the listener for people.
 * @param clientOf the address of the client, where a proxy has passed a request on
 */
export function markPeople(socket: Socket, clientOf?: (request: IncomingMessage, address: string) => string): void {
  if (known.has(socket)) return;
  known.set(socket, { listener: "people", address: socket.remoteAddress ?? "" });
  if (clientOf !== undefined) forwarded.set(socket, clientOf);
}

/** Who sent a request. */
export function peerOf(request: IncomingMessage): Peer {
  const { socket } = request;
  const seen = known.get(socket);
  if (seen?.listener === "people") {
    return { ...seen, address: forwarded.get(socket)?.(request, seen.address) ?? seen.address };
  }
  if (seen !== undefined) return seen;
  const peer = readPeer(socket);
  known.set(socket, peer);
  return peer;
}

function readPeer(socket: Socket): Peer {
  const address = socket.remoteAddress ?? "";
  if (!isEncrypted(socket)) return { listener: "plain", address };
  if (!socket.authorized) return { listener: "tls", address };
  const certname = commonName(socket);
  return { listener: "tls", address, ...(certname === undefined ? { isUnnamed: true } : { certname }) };
}

/** Checked by a property of the socket, so that a service without TLS need not load TLS. */
function isEncrypted(socket: Socket): socket is TLSSocket {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** A subject with several common names identifies nobody: choosing one would be a guess. */
function commonName(socket: TLSSocket): string | undefined {
  const subject = socket.getPeerCertificate().subject as { CN?: string | string[] } | undefined;
  return typeof subject?.CN === "string" ? subject.CN : undefined;
}
