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
    "Where the service listens. TLS is on as soon as ssl-host or ssl-port is given; " +
    "without host and port there is then no plain listener, as with PuppetDB.",
  aliases: ["webserver"],
  settings: {
    host: setting({
      kind: host,
      default: "127.0.0.1",
      help: "Where plain HTTP is spoken; beyond loopback only with allow-plain-http",
    }),
    port: setting({ kind: port, default: DEFAULT_PORT, help: "Port of plain HTTP; 0 takes any free one" }),
    "ssl-host": setting({ kind: host, default: "localhost", help: "Where TLS is spoken; 0.0.0.0: everywhere" }),
    "ssl-port": setting({ kind: port, default: 8081, help: "Port of TLS; 0 takes any free one" }),
    "ssl-cert": optional({ kind: path, unset: "no TLS", help: "The service's certificate, PEM" }),
    "ssl-key": optional({ kind: path, unset: "no TLS", help: "Its private key, PEM, without a pass phrase" }),
    "ssl-ca-cert": optional({
      kind: path,
      unset: "no TLS",
      help: "The authority whose clients are let in, PEM",
    }),
    "ssl-cert-chain": optional({
      kind: path,
      unset: "none",
      help: "What stands between the certificate and its authority, PEM",
    }),
    "ssl-crl-path": optional({ kind: path, unset: "nothing is revoked", help: "Revocation lists, PEM" }),
    "ssl-protocols": optional({
      kind: list,
      unset: "TLSv1.2, TLSv1.3",
      help: "Versions of TLS that are spoken; older ones than 1.2 never are",
      check: (names) => void readProtocols(names),
    }),
    "cipher-suites": optional({
      kind: list,
      unset: "those with authenticated encryption and forward secrecy",
      help: "Cipher suites, by their standard names or OpenSSL's",
      check: (names) => void readCiphers(names),
    }),
    "client-auth": setting({
      kind: oneOf("need", "want", "none"),
      default: "need",
      help: "Whether TLS clients need a certificate, are asked for one, or are not",
    }),
    "request-header-max-size": setting({
      kind: bytes,
      default: defaultLimits.headerBytes,
      help: "Largest request line and headers; more is answered 431",
    }),
    "request-body-max-size": optional({ kind: bytes, unset: "none", help: "Largest body; more is answered 413" }),
    "idle-timeout-milliseconds": setting({
      kind: milliseconds,
      default: defaultLimits.idleMs,
      help: "How long a connection is kept open between two requests",
    }),
    "shutdown-timeout-seconds": setting({
      kind: seconds,
      default: 8_000,
      help: "How long requests may go on when the service ends (PuppetDB: 30)",
    }),
    "gzip-enable": setting({ kind: truth, default: true, help: "Whether answers are compressed for clients that ask" }),
  },
  ignored: {
    "access-log-config": "logback is not used: see [census] access-log",
    ...because(
      "Java key stores are not read: name PEM files in ssl-cert, ssl-key and ssl-ca-cert",
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
    ...because("without meaning here", "sni-required", "so-linger-seconds", "jmx-enable", "default-server"),
    ...because("files and scripts are not served", "static-content*", "post-config-script"),
  },
} as const satisfies Section;
