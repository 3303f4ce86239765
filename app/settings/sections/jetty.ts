import { readCiphers } from "../../listeners/ciphers.ts";
import { defaultLimits } from "../../listeners/limits.ts";
import { readProtocols } from "../../listeners/protocols.ts";
import { milliseconds, seconds } from "../kinds/durations.ts";
import { bytes, host, list, oneOf, path, port, truth } from "../kinds/simple.ts";
import { because, optional, type Section, setting } from "../setting.ts";

const DEFAULT_PORT = 8080;

/** `[jetty]` (`reference/config.md §6`, `reference/http.md §7.2`). */
export const jetty = {
  about:
    "Where the service listens. TLS is on if ssl-host or ssl-port is set; " +
    "there is then no plain listener unless host or port is set too, as with PuppetDB.",
  aliases: ["webserver"],
  settings: {
    host: setting({
      kind: host,
      default: "127.0.0.1",
      help: "Address for plain HTTP; other than loopback only with allow-plain-http",
    }),
    port: setting({ kind: port, default: DEFAULT_PORT, help: "Port for plain HTTP; 0 picks a free port" }),
    "ssl-host": setting({ kind: host, default: "localhost", help: "Address for TLS; 0.0.0.0: all interfaces" }),
    "ssl-port": setting({ kind: port, default: 8081, help: "Port for TLS; 0 picks a free port" }),
    "ssl-cert": optional({ kind: path, unset: "no TLS", help: "Certificate of the service, PEM" }),
    "ssl-key": optional({
      kind: path,
      unset: "no TLS",
      help: "Private key of the certificate, PEM, without a pass phrase",
    }),
    "ssl-ca-cert": optional({
      kind: path,
      unset: "no TLS",
      help: "CA whose clients are accepted, PEM",
    }),
    "ssl-cert-chain": optional({
      kind: path,
      unset: "none",
      help: "Intermediate certificates between the certificate and its CA, PEM",
    }),
    "ssl-crl-path": optional({ kind: path, unset: "none", help: "Certificate revocation lists, PEM" }),
    "ssl-protocols": optional({
      kind: list,
      unset: "TLSv1.2, TLSv1.3",
      help: "TLS versions to accept; never older than 1.2",
      check: (names) => void readProtocols(names),
    }),
    "cipher-suites": optional({
      kind: list,
      unset: "suites with authenticated encryption and forward secrecy",
      help: "Cipher suites, by standard or OpenSSL name",
      check: (names) => void readCiphers(names),
    }),
    "client-auth": setting({
      kind: oneOf("need", "want", "none"),
      default: "need",
      help: "Whether TLS clients must send a certificate (need), may send one (want), or cannot (none)",
    }),
    "request-header-max-size": setting({
      kind: bytes,
      default: defaultLimits.headerBytes,
      help: "Maximum size of the request line and headers; more gets 431",
    }),
    "request-body-max-size": optional({
      kind: bytes,
      unset: "none",
      help: "Maximum size of a request body; more gets 413",
    }),
    "idle-timeout-milliseconds": setting({
      kind: milliseconds,
      default: defaultLimits.idleMs,
      help: "How long to keep an idle connection open",
    }),
    "shutdown-timeout-seconds": setting({
      kind: seconds,
      default: 8_000,
      help: "How long to wait for running requests on shutdown (PuppetDB: 30)",
    }),
    "gzip-enable": setting({ kind: truth, default: true, help: "Compress responses for clients that accept it" }),
  },
  ignored: {
    "access-log-config": "Census does not use logback; see [census] access-log",
    ...because(
      "Census does not read Java key stores; use PEM files in ssl-cert, ssl-key and ssl-ca-cert",
      "keystore",
      "key-password",
      "truststore",
      "trust-password",
    ),
    ...because(
      "one thread serves every connection",
      "acceptor-threads",
      "selector-threads",
      "ssl-acceptor-threads",
      "ssl-selector-threads",
      "max-threads",
      "queue-max-size",
    ),
    "allow-renegotiation": "renegotiation is always off",
    ...because("no effect in Census", "sni-required", "so-linger-seconds", "jmx-enable", "default-server"),
    ...because("Census serves no files or scripts", "static-content*", "post-config-script"),
  },
} as const satisfies Section;
