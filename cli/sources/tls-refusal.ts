import { X509Certificate } from "node:crypto";
import type { Contact } from "./contact.ts";

/** Alerts by which a TLS server refuses a client, by their numbers (RFC 8446 §6). */
const alerts: Readonly<Record<string, string>> = {
  "42": "the server rejected the client certificate",
  "43": "the server does not support this type of client certificate",
  "44": "the client certificate is revoked",
  "45": "the client certificate has expired",
  "46": "the server rejected the client certificate",
  "48": "the client certificate is signed by a CA that the server does not know",
  "49": "the client certificate is not authorized",
  "116": "the server requires a client certificate; use --cert and --key",
};

/** Errors when a server rejects a certificate without an alert, as servers on Node.js do. */
const cuts: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE"]);

/** Sent by TLS 1.2 servers for a missing client certificate, among other causes. */
const HANDSHAKE_FAILURE = "40";

/**
 * Explains a failed request by the client certificate or its absence; undefined for other causes.
 * @param url of the server
 */
export function certificateRefusal(url: URL, contact: Contact, error: unknown, now = Date.now()): string | undefined {
  if (url.protocol !== "https:") return undefined;
  const { code = "", message } = error as NodeJS.ErrnoException;
  const alert = /SSL alert number (\d+)/.exec(message)?.[1] ?? "";
  if (alert === HANDSHAKE_FAILURE && contact.cert === undefined) return alerts["116"];
  const refusal = alerts[alert];
  if (refusal !== undefined && contact.cert === undefined) return refusal;
  if (refusal === undefined && !cuts.has(code)) return undefined;
  const judgement = contact.cert === undefined ? undefined : judge(contact.cert, contact.ca, now);
  if (judgement === undefined) return refusal;
  const { certificate, fault } = judgement;
  const what = `${nameOf(certificate.subject)}, issued by ${nameOf(certificate.issuer)}`;
  if (refusal !== undefined) return `${refusal} (${what}${fault === undefined ? "" : `: ${fault}`})`;
  // The connection may have been closed for another reason, so without a known problem this is a guess.
  const guess = fault ?? "the server may have rejected it";
  return `the server closed the connection after receiving the client certificate (${what}): ${guess}`;
}

interface Judgement {
  readonly certificate: X509Certificate;
  /** The problem of the certificate, if it can be determined here. */
  readonly fault: string | undefined;
}

function judge(pem: string, ca: string | undefined, now: number): Judgement | undefined {
  const [certificate, ...chain] = certificatesIn(pem);
  if (certificate === undefined) return undefined;
  if (Date.parse(certificate.validTo) < now) return { certificate, fault: `it expired on ${certificate.validTo}` };
  const authorities = ca === undefined ? [] : certificatesIn(ca);
  const isTheirs = [certificate, ...chain].some((one) => authorities.some((authority) => isOf(one, authority)));
  const isOther = authorities.length > 0 && !isTheirs;
  return {
    certificate,
    fault: isOther ? "it is not signed by the CA in --cacert" : undefined,
  };
}

function isOf(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Invalid certificates are ignored: TLS has already reported them. */
function certificatesIn(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN (?:X509 )?CERTIFICATE-----[^]+?-----END (?:X509 )?CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

function nameOf(subject: string): string {
  return subject.split("\n").join(", ");
}
