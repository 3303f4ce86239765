import { createPrivateKey, type X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { messageOf } from "#storage/errors.ts";
import {
  type CredentialFiles,
  isPair,
  type ReadCertificate,
  readCertificates,
  readKey,
  readRevocations,
} from "../listeners/credentials.ts";
import { isLoopback } from "../listeners/address.ts";
import { checkTls, type TlsOptions } from "../listeners/tls.ts";
import { readRevocationList, subjectOf } from "../listeners/revocation-list.ts";
import type { Context } from "./context.ts";
import { type Finding, type Reporter, reporter } from "./finding.ts";
import { openToAll } from "./open-to-all.ts";
import { readableBy } from "./readable.ts";

const DAY = 86_400_000;

/** A certificate with a shorter lifetime is renewed soon anyway. */
const SOON = 30 * DAY;

/** Revocation lists that are renewed often get a warning in the last part of their lifetime, not a month before. */
const LAST_PART = 0.2;

/** Checks all files of the TLS listener: present, complete, readable by the service, and in date. */
export async function checkCredentials(options: TlsOptions, context: Context): Promise<Finding[]> {
  const findings = await checkFiles(options, context);
  return findings.some(({ level }) => level === "error")
    ? findings
    : [...findings, ...(await checkWhole(options, context))];
}

/** Whether OpenSSL accepts the files together, as the listener is opened with them. */
async function checkWhole(options: TlsOptions, context: Context): Promise<Finding[]> {
  const report = reporter(
    "TLS",
    options.settings === "people"
      ? context.where("census", "people-port", "people-host")
      : context.where("jetty", "ssl-port", "ssl-host"),
  );
  try {
    const lines = await checkTls(options);
    // Dates have been checked for each certificate already.
    const warnings = lines.filter((line) => line.startsWith("ssl-protocols"));
    return warnings.map((line) => report.warning(line, "remove it from ssl-protocols"));
  } catch (error) {
    return [report.error(`TLS cannot be enabled: ${messageOf(error)}`, "replace the named file or the certificate")];
  }
}

async function checkFiles(files: CredentialFiles & Pick<TlsOptions, "host">, context: Context): Promise<Finding[]> {
  const { settings = "ssl" } = files;
  const own = await certificates(`${settings}-cert`, "certificate", files.cert, context);
  const chain =
    files.certChain === undefined
      ? none
      : await certificates(`${settings}-cert-chain`, "chain", files.certChain, context);
  // People present no certificates.
  const authorities =
    settings === "people" ? none : await certificates("ssl-ca-cert", "authority", files.caCert, context);
  return [
    ...own.findings,
    ...(settings === "people" ? [] : checkName(files, own.read[0]?.certificate, context)),
    ...(await checkKey(`${settings}-key`, files.key, own.read[0]?.certificate, context)),
    ...chain.findings,
    ...authorities.findings,
    ...(files.crl === undefined ? [] : await checkRevocations(files.crl, authorities.read, context)),
  ];
}

interface Certificates {
  readonly read: readonly ReadCertificate[];
  readonly findings: readonly Finding[];
}

const none: Certificates = { read: [], findings: [] };

async function certificates(setting: string, check: string, path: string, context: Context): Promise<Certificates> {
  const report = reporter(check, context.where(sectionOf(setting), setting));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return { ...none, findings: [denied] };
  try {
    const read = await readCertificates(setting, path);
    return { read, findings: read.map(({ certificate }) => inDate(certificate, path, report, context.now)) };
  } catch (error) {
    const what = messageOf(error).replace(`${setting}: `, "");
    return { ...none, findings: [report.error(what, `set ${setting} to a PEM file with a certificate`)] };
  }
}

function sectionOf(setting: string): string {
  return setting.startsWith("people-") ? "census" : "jetty";
}

function inDate(certificate: X509Certificate, path: string, report: Reporter, now: number): Finding {
  const { subject, validFrom, validTo } = certificate;
  const name = `${path} (${subject.split("\n").join(", ")})`;
  const [begins, ends] = [Date.parse(validFrom), Date.parse(validTo)];
  if (ends <= now) return report.error(`${name} expired on ${validTo}`, "renew it");
  if (begins > now) return report.error(`${name} is not valid before ${validFrom}`, "wait, or correct the clock");
  const days = Math.floor((ends - now) / DAY);
  if (ends - now < SOON) return report.warning(`${name} expires in ${days} days, on ${validTo}`, "renew it");
  return report.ok(`${name} is valid until ${validTo}`);
}

/** Clients that check the name of the server refuse a certificate for another one. */
function checkName(
  { cert: path, host }: Pick<TlsOptions, "cert" | "host">,
  certificate: X509Certificate | undefined,
  context: Context,
): Finding[] {
  // Clients on this machine, or a proxy, use names of their own.
  if (certificate === undefined || host === "localhost" || isLoopback(host)) return [];
  const { hostname } = context;
  const given = namesOf(certificate);
  const isNamed =
    [hostname, host].some((name) => isFor(certificate, name)) ||
    // The name of the machine may lack its domain.
    given.some((name) => name.split(".")[0] === hostname.toLowerCase().split(".")[0]);
  if (isNamed) return [];
  return [
    reporter("certificate", context.where("jetty", "ssl-cert")).warning(
      `${path} is for ${given.join(", ") || "no name"}, and this machine is ${hostname}: clients that use this name reject it`,
      "none needed if clients use a name of the certificate; otherwise get one with the name that they use",
    ),
  ];
}

/** Whether a certificate is for a name or an address. */
export function isFor(certificate: X509Certificate, name: string): boolean {
  try {
    return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
  } catch {
    // It is no name that a certificate could have.
    return false;
  }
}

/** The names of a certificate; that of its subject counts where it has no others. */
function namesOf({ subject, subjectAltName = "" }: X509Certificate): string[] {
  const names = [...subjectAltName.matchAll(/DNS:([^,\s"]+)/g)];
  return (names.length > 0 ? names : [...subject.matchAll(/^CN=(.*)$/gm)]).map(([, name = ""]) => name.toLowerCase());
}

async function checkKey(
  setting: string,
  path: string,
  certificate: X509Certificate | undefined,
  context: Context,
): Promise<Finding[]> {
  const report = reporter("key", context.where(sectionOf(setting), setting));
  const certSetting = setting.replace(/key$/, "cert");
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return [denied];
  try {
    const { pem } = await readKey(path, setting);
    const findings = openToAll(path, report);
    if (certificate === undefined) return [...findings, report.ok(`${path} is a private key`)];
    if (isPair(certificate, createPrivateKey(pem))) {
      return [...findings, report.ok(`${path} is the key of the certificate in ${certSetting}`)];
    }
    const remedy = `set ${setting} to the key of this certificate`;
    return [...findings, report.error(`${path} is not the key of the certificate in ${certSetting}`, remedy)];
  } catch (error) {
    const what = messageOf(error).replace(`${setting}: `, "");
    return [report.error(what, `set ${setting} to a PEM file with a private key without a pass phrase`)];
  }
}

async function checkRevocations(
  path: string,
  authorities: readonly ReadCertificate[],
  context: Context,
): Promise<Finding[]> {
  const report = reporter("revocation list", context.where("jetty", "ssl-crl-path"));
  const denied = readableBy(context.user, path, report);
  if (denied !== undefined) return [denied];
  try {
    const lists = (await readRevocations(path)).map(readRevocationList);
    const issuers = new Set(lists.map(({ issuer }) => issuer));
    const unlisted = authorities.filter(({ certificate }) => !issuers.has(subjectOf(certificate.raw)));
    return [
      ...lists.map(({ from, until }) => current(path, from, until, report, context.now)),
      ...unlisted.map(({ certificate }) =>
        report.error(
          `${path} has no list of ${certificate.subject.split("\n").join(", ")}: all its clients are rejected`,
          "add the revocation list of the CA, even if it is empty",
        ),
      ),
    ];
  } catch (error) {
    const what = messageOf(error).replace("ssl-crl-path: ", "");
    return [report.error(what, "set ssl-crl-path to a PEM file with revocation lists")];
  }
}

function current(path: string, from: Date, until: Date | undefined, report: Reporter, now: number): Finding {
  if (until === undefined) return report.ok(`${path} has a revocation list that does not expire`);
  const ends = until.getTime();
  const day = until.toISOString();
  const remedy = "get a new list from the CA";
  if (ends <= now) return report.error(`${path} expired on ${day}: all clients are rejected`, remedy);
  const soon = Math.min(SOON, (ends - from.getTime()) * LAST_PART);
  if (ends - now < soon)
    return report.warning(`${path} expires on ${day}: all clients are rejected from then on`, remedy);
  return report.ok(`${path} is valid until ${day}`);
}
