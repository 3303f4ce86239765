import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ListenerLog } from "./log.ts";

/** Texts for OpenSSL's common reasons; the others are reported by OpenSSL's name. */
const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  CERT_REVOKED: "its certificate is revoked",
  CERT_SIGNATURE_FAILURE: "its certificate is not signed by the CA in ssl-ca-cert",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed, not signed by the CA in ssl-ca-cert",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is not signed by the CA in ssl-ca-cert",
  UNABLE_TO_GET_ISSUER_CERT: "its certificate is not signed by the CA in ssl-ca-cert",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is not signed by the CA in ssl-ca-cert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is not signed by the CA in ssl-ca-cert",
  CRL_HAS_EXPIRED: "the revocation list in ssl-crl-path has expired: all clients are rejected until it is renewed",
  UNABLE_TO_GET_CRL: "ssl-crl-path has no revocation list of the CA that issued its certificate",
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "it sent no certificate",
  ERR_SSL_UNSUPPORTED_PROTOCOL: "no common TLS version",
  ERR_SSL_NO_SHARED_CIPHER: "no common cipher suite",
  ERR_SSL_HTTP_REQUEST: "it sent plain HTTP to the HTTPS port",
};

/** Closes connections with an invalid client certificate where none is required (`client-auth` = `want`). */
export function refuseBadCertificates(server: Server): void {
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    if (!socket.authorized && hasCertificate(socket)) socket.destroy();
  });
}

/** A certificate that cannot be read is invalid. */
function hasCertificate(socket: TLSSocket): boolean {
  try {
    return socket.getPeerX509Certificate() !== undefined;
  } catch {
    return true;
  }
}

/** Logs every connection that is refused during its handshake, and why; does not log connections that only end. */
export function reportRefusals(server: Server, log: ListenerLog): void {
  server.on("tlsClientError", (error: Error & { code?: string }, socket: TLSSocket) => {
    const authorization = socket.authorizationError as Error | string | null | undefined;
    const code = typeof authorization === "string" ? authorization : (error.code ?? "");
    if (code === "" || code === "ECONNRESET") return;
    log.warn(`connection from ${addressOf(socket)} refused: ${reasons[code] ?? code}`);
  });
}

/** The encrypted socket does not have it any more; the TCP socket below it, which Node keeps under this name, does. */
function addressOf(socket: TLSSocket & { readonly _parent?: Socket }): string {
  return socket.remoteAddress ?? socket._parent?.remoteAddress ?? "a disconnected client";
}
