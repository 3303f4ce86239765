import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "#storage/errors.ts";
import { prefixOf } from "../access/principals.ts";
import { readCertificates } from "../listeners/credentials.ts";
import type { Settings } from "../settings/settings.ts";
import type { AccessFile } from "../sign-in/access-file.ts";
import type { OidcSettings } from "../sign-in/oidc.ts";
import type { PeopleSettings } from "../sign-in/people.ts";
import { readSessionKeys } from "../sign-in/session-key.ts";
import { checkCredentials, isFor } from "./certificates.ts";
import type { Context } from "./context.ts";
import { type Finding, type Reporter, reporter } from "./finding.ts";
import { openToAll } from "./open-to-all.ts";
import { readableBy } from "./readable.ts";

/** Seconds by which the clocks of the provider and of this machine may differ. */
const TOLERANCE = 60;

/** The networks of proxies that are not called wide: leading bits. */
const NARROW = { ipv4: 24, ipv6: 64 } as const;

/**
 * Checks what the listener for people needs.
 * @param directory the data directory
 * @param content of the access file; undefined: there is none that is valid
 */
export async function checkPeople(
  people: PeopleSettings,
  settings: Settings,
  directory: string,
  content: AccessFile | undefined,
  context: Context,
): Promise<Finding[]> {
  return [
    ...(await checkCertificate(people, settings, context)),
    ...(await checkKey(people, settings, directory, context)),
    ...checkProxies(people, context),
    ...(await checkWays(people, settings, content, context)),
    ...(people.oidc === undefined ? [] : await checkProvider(people.oidc, context)),
  ];
}

/** That of the TLS listener is checked with it. */
async function checkCertificate(
  { tls, host, port, url, proxies }: PeopleSettings,
  { http }: Settings,
  context: Context,
): Promise<Finding[]> {
  if (tls === undefined) return [];
  const options = { ...tls, host, port, caCert: tls.cert, clientAuth: "none", settings: "people" } as const;
  const findings = tls.cert === http.tls?.cert ? [] : await checkCredentials(options, context);
  // Browsers see the certificate of a proxy or load balancer, if that has one.
  if (url === undefined || proxies.length > 0) return findings;
  const [own] = await readCertificates("people-cert", tls.cert).catch(() => []);
  const { hostname } = new URL(url);
  if (own === undefined || isFor(own.certificate, hostname.replaceAll(/^\[|\]$/g, ""))) return findings;
  const report = reporter("certificate", context.where("census", "people-url"));
  const what = `${tls.cert} is not for ${hostname}, the host of people-url: browsers reject it`;
  return [...findings, report.warning(what, "get a certificate for this name, or correct people-url")];
}

async function checkKey(
  { sessionKeyFile: path }: PeopleSettings,
  { commandLog }: Settings,
  directory: string,
  context: Context,
): Promise<Finding[]> {
  const report = reporter("session key", context.where("census", "session-key-file"));
  const shared =
    path === undefined && commandLog !== undefined
      ? [
          report.warning(
            "each server that shares the log has a session key of its own: people sign in again at each",
            "set session-key-file to the same key on all servers",
          ),
        ]
      : [];
  const file = path ?? join(directory, "session.key");
  // Made at the first start.
  if (path === undefined && !existsSync(file)) return shared;
  const denied = readableBy(context.user, file, report);
  if (denied !== undefined) return [...shared, denied];
  try {
    const { length } = await readSessionKeys(file);
    return [
      ...shared,
      ...openToAll(file, report),
      report.ok(`${file} has ${length === 1 ? "a key" : `${length} keys`} of sessions`),
    ];
  } catch (error) {
    const what = messageOf(error).replace("session-key-file: ", "");
    return [...shared, report.error(what, `openssl rand -hex 32 > ${file}`)];
  }
}

function checkProxies({ proxies }: PeopleSettings, context: Context): Finding[] {
  const report = reporter("proxies", context.where("census", "people-proxies"));
  const wide = proxies.filter((item) => {
    const [network = "", bits] = item.split("/");
    return bits !== undefined && Number(bits) < NARROW[network.includes(":") ? "ipv6" : "ipv4"];
  });
  return wide.map((item) =>
    report.warning(
      `${item} is a wide network: everybody in it can claim to be any user or address`,
      "name the addresses of the proxies",
    ),
  );
}

/** Whether anybody can sign in, and then open a page. */
async function checkWays(
  { oidc, proxyHeaders }: PeopleSettings,
  { access }: Settings,
  content: AccessFile | undefined,
  context: Context,
): Promise<Finding[]> {
  const { users = new Map<string, never>(), groups = new Map<string, never>() } = content ?? {};
  const report = reporter("people", context.where("census", "people-port"));
  const kinds = new Set([
    ...(users.size > 0 ? ["user"] : []),
    ...(oidc === undefined ? [] : ["sso"]),
    ...(proxyHeaders.user === undefined ? [] : ["proxy"]),
  ]);
  if (kinds.size === 0) {
    const what = "nobody can sign in: there are no users, no oidc-issuer and no people-proxy-user-header";
    return [report.warning(what, "census user add NAME --role reader, or see docs/sign-in.md")];
  }
  if (access.policy !== undefined) return checkPolicy(access.policy, kinds, context);
  if (groups.size > 0 || [...users.values()].some(({ role }) => role !== undefined)) return [];
  const what = "nobody who signs in may do anything: no user and no group has a role";
  return [report.warning(what, "census user group '*' --role reader gives one to everybody who signs in")];
}

/** @param kinds of people who can sign in */
async function checkPolicy(path: string, kinds: ReadonlySet<string>, context: Context): Promise<Finding[]> {
  const pages = await pagesOf(path);
  const admits = (item: string): boolean => {
    const kind = prefixOf(item)?.kind ?? "";
    return item === "any" || item === "signed-in" || kind === "group" || kind === "role" || kinds.has(kind);
  };
  if (pages === undefined || pages.some(admits)) return [];
  const what = `${path} admits nobody who signs in: no rule "pages" for people`;
  return [
    reporter("policy", context.where("census", "authorization-policy")).warning(
      what,
      'add e.g. "role:reader" to "pages", "query", "status" and "metrics"; see docs/access.md',
    ),
  ];
}

/** The items of the rule for pages; undefined: the file is not valid, which is said where it is checked. */
async function pagesOf(path: string): Promise<string[] | undefined> {
  try {
    const { pages = [] } = JSON.parse(await readFile(path, "utf8")) as { readonly pages?: unknown };
    return Array.isArray(pages) ? pages.filter((item) => typeof item === "string") : undefined;
  } catch {
    return undefined;
  }
}

/** A provider that cannot be reached is a warning: a start does not need it. */
async function checkProvider(oidc: OidcSettings, context: Context): Promise<Finding[]> {
  const report = reporter("provider", context.where("census", "oidc-issuer"));
  const { caCert, clientSecretFile: secret } = oidc;
  const files = [
    ...(caCert === undefined ? [] : [{ path: caCert, setting: "oidc-ca-cert", isSecret: false }]),
    ...(secret === undefined ? [] : [{ path: secret, setting: "oidc-client-secret-file", isSecret: true }]),
  ];
  const ofFiles = files.flatMap(({ path, setting, isSecret }) => {
    const own = reporter("provider", context.where("census", setting));
    const denied = readableBy(context.user, path, own);
    return denied === undefined ? (isSecret ? openToAll(path, own) : []) : [denied];
  });
  if (ofFiles.some(({ level }) => level === "error")) return ofFiles;
  const { reachProvider } = await import("../sign-in/oidc.ts");
  try {
    const { server, date } = await reachProvider(oidc);
    const methods = server.code_challenge_methods_supported;
    return [
      ...ofFiles,
      ...checkTime(date, report, context.now),
      ...(methods === undefined || methods.includes("S256")
        ? []
        : [report.error(`${oidc.issuer} does not support PKCE with S256`, "allow it at the provider")]),
      report.ok(`${oidc.issuer} can be reached`),
    ];
  } catch (error) {
    const what = `${oidc.issuer} cannot be used: ${messageOf(error)}`;
    return [
      ...ofFiles,
      report.warning(what, "correct oidc-issuer or oidc-ca-cert, or wait until the provider is back"),
    ];
  }
}

/** @param date `Date` of the provider's response; milliseconds since the epoch */
function checkTime(date: number | undefined, report: Reporter, now: number): Finding[] {
  const seconds = date === undefined ? 0 : Math.round(Math.abs(date - now) / 1000);
  if (seconds <= TOLERANCE) return [];
  const what = `the clock of the provider differs by ${seconds} s: its confirmations are refused`;
  return [report.warning(what, "correct the clocks, by NTP or by hand")];
}
