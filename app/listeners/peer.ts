import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** Who is at the other end of a request's connection. */
export interface Peer {
  readonly listener: "plain" | "tls";
  /** IP address; empty when the connection is gone already. */
  readonly address: string;
  /** The common name of the certificate that was presented and verified. */
  readonly certname?: string;
}

/** A connection keeps its certificate: renegotiation is off. Reading one is dear enough to do it once. */
const known = new WeakMap<Socket, Peer>();

/** Who sent a request. */
export function peerOf({ socket }: IncomingMessage): Peer {
  const seen = known.get(socket);
  if (seen !== undefined) return seen;
  const peer = readPeer(socket);
  known.set(socket, peer);
  return peer;
}

function readPeer(socket: Socket): Peer {
  const address = socket.remoteAddress ?? "";
  if (!isEncrypted(socket)) return { listener: "plain", address };
  const certname = socket.authorized ? commonName(socket) : undefined;
  return { listener: "tls", address, ...(certname === undefined ? {} : { certname }) };
}

/** By what it says of itself: a service without TLS need not load any of it. */
function isEncrypted(socket: Socket): socket is TLSSocket {
  return (socket as Partial<TLSSocket>).encrypted === true;
}

/** A subject with several common names, or none, is nobody's name: choosing one would be guessing who it is. */
function commonName(socket: TLSSocket): string | undefined {
  const subject = socket.getPeerCertificate().subject as { CN?: string | string[] } | undefined;
  return typeof subject?.CN === "string" ? subject.CN : undefined;
}
