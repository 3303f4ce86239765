import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { CensusError, messageOf } from "#storage/errors.ts";
import { readPem } from "./pem.ts";

/** Paths of PEM files, by PuppetDB's settings (`reference/http.md §7.2`). */
export interface CredentialFiles {
  /** `ssl-cert`: our certificate, followed by its chain if there is one */
  readonly cert: string;
  /** `ssl-key`: its private key, without a pass phrase */
  readonly key: string;
  /** `ssl-ca-cert`: the authorities whose clients are accepted */
  readonly caCert: string;
  /** `ssl-cert-chain`: intermediate certificates between ours and the authority */
  readonly certChain?: string;
  /** `ssl-crl-path`: revocation lists, one of every authority in the chain */
  readonly crl?: string;
  /** What the names of the settings begin with; default: `ssl`. */
  readonly settings?: "ssl" | "people";
}

/** The checked content of the files, in the form that Node's TLS expects. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
  readonly ca: readonly string[];
  readonly crl?: readonly string[];
  /** Warnings: certificates that have expired or are not valid yet. */
  readonly warnings: readonly string[];
}

/**
 * Reads and checks the certificates of a listener.
 * @param now milliseconds since the epoch: what certificates are out of date
 * @throws CensusError "bad-file" naming the setting, the file and what is wrong with it
 */
export async function readCredentials(files: CredentialFiles, now: number): Promise<Credentials> {
  const { settings = "ssl" } = files;
  const own = await readCertificates(`${settings}-cert`, files.cert);
  const chain = files.certChain === undefined ? [] : await readCertificates(`${settings}-cert-chain`, files.certChain);
  // People present no certificates.
  const authorities = settings === "people" ? [] : await readCertificates("ssl-ca-cert", files.caCert);
  const key = await readKey(files.key, `${settings}-key`);
  if (own[0] === undefined || !isPair(own[0].certificate, key.object)) {
    throw new CensusError(
      "bad-file",
      `${settings}-key: ${files.key} is not the key of the certificate in ${settings}-cert: ${files.cert}`,
    );
  }
  const crl = files.crl === undefined ? undefined : await readRevocations(files.crl);
  return {
    cert: [...own, ...chain].map(({ pem }) => pem).join(""),
    key: key.pem,
    ca: authorities.map(({ pem }) => pem),
    ...(crl === undefined ? {} : { crl }),
    warnings: [...own, ...chain, ...authorities].flatMap((read) => outOfDate(read, now)),
  };
}

/** A certificate and where it is in a file. */
export interface ReadCertificate {
  readonly pem: string;
  readonly certificate: X509Certificate;
  /** `ssl-cert: /etc/census/cert.pem` */
  readonly where: string;
}

/** Whether a private key is that of a certificate. */
export function isPair(certificate: X509Certificate, key: KeyObject): boolean {
  return certificate.checkPrivateKey(key);
}

/** @throws CensusError "bad-file" naming the setting, the file and what is wrong with it */
export async function readCertificates(setting: string, path: string): Promise<ReadCertificate[]> {
  const where = `${setting}: ${path}`;
  return (await readPem(setting, path, "certificate")).map((pem) => ({
    pem,
    where,
    certificate: whole(where, "certificate", () => new X509Certificate(pem)),
  }));
}

/** @throws CensusError "bad-file", as {@link readCertificates} */
export async function readKey(path: string, setting = "ssl-key"): Promise<{ pem: string; object: KeyObject }> {
  const where = `${setting}: ${path}`;
  const [pem = ""] = await readPem(setting, path, "private key");
  if (pem.includes("ENCRYPTED")) {
    throw new CensusError("bad-file", `${where} has a pass phrase; use a key without one`);
  }
  return { pem, object: whole(where, "private key", () => createPrivateKey(pem)) };
}

/**
 * A file may contain the lists of several authorities; Node reads only the first of a text.
 * @throws CensusError "bad-file", as {@link readCertificates}
 */
export async function readRevocations(path: string): Promise<string[]> {
  const lists = await readPem("ssl-crl-path", path, "revocation list");
  for (const crl of lists) whole(`ssl-crl-path: ${path}`, "revocation list", () => createSecureContext({ crl }));
  return lists;
}

function whole<T>(where: string, kind: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new CensusError("bad-file", `${where} contains an invalid ${kind}: ${messageOf(error)}`, { cause: error });
  }
}

function outOfDate({ certificate, where }: ReadCertificate, now: number): string[] {
  if (Date.parse(certificate.validTo) < now) return [`${where} expired on ${certificate.validTo}`];
  if (Date.parse(certificate.validFrom) > now) return [`${where} is not valid before ${certificate.validFrom}`];
  return [];
}
