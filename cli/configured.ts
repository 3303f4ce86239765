import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { urlOf } from "#app/listeners/address.ts";
import { readNamedFile } from "#app/listeners/named-file.ts";
import type { TlsOptions } from "#app/listeners/tls.ts";
import { type LoadedSettings, loadSettings } from "#app/settings/load.ts";
import type { Settings } from "#app/settings/settings.ts";
import type { Flags } from "#app/settings/sources/flags.ts";
import { UsageError } from "./errors.ts";
import { defaultDataDirectory } from "./options.ts";
import { installedConfig, serviceConfig, unset } from "./service-config.ts";
import { namesServer, type ServiceArguments } from "./sources/contact-options.ts";

/** A value and where it was set: `/etc/census/conf.d/global.ini:3`, `--data`. */
export interface Chosen {
  readonly value: string;
  readonly from: string;
}

/** A data directory, and the configuration of its service; none of a directory that is named alone. */
export interface ChosenDirectory extends Chosen {
  readonly settings: Settings | undefined;
}

/**
 * The data directory of the service on this machine: that of `--data`, else of its configuration, else the user's own.
 * @param installed the configuration to read when none is given
 * @throws SettingsError or CensusError "bad-file" when the configuration cannot be read
 */
export async function dataDirectoryOf(
  { data, config }: { readonly data?: string | undefined; readonly config?: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
  installed: string = installedConfig,
): Promise<ChosenDirectory> {
  if (data !== undefined && config === undefined) return { value: data, from: "--data", settings: undefined };
  const loaded = await loadService(config, env, installed);
  const { settings } = loaded;
  if (data !== undefined) return { value: data, from: "--data", settings };
  const { dataDirectory } = settings;
  if (dataDirectory === undefined) return { value: defaultDataDirectory(env), from: unset, settings };
  return { value: dataDirectory, from: placeOf(loaded, "global", "vardir"), settings };
}

/**
 * The data directory that belongs to the service that a command line means; undefined where it names a server by its
 * address, or nothing says where the service keeps its data.
 */
export async function serviceDirectory(
  args: ServiceArguments,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (namesServer(args, env)) return undefined;
  const { value, from } = await dataDirectoryOf({ config: args.config }, env);
  return from === unset ? undefined : value;
}

/** Who this machine is to its own service, PEM, and by which name the service's certificate is checked. */
interface ServiceIdentity {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  readonly servername?: string;
}

/** How a client reaches the service of this machine. */
export interface ServiceAddress extends ServiceIdentity {
  readonly url: URL;
  /** Where the address was set. */
  readonly from: string;
}

/**
 * How the service of this machine is reached: as its configuration says where it listens. Over TLS it is shown its own
 * certificate, which its authority has signed.
 * @returns undefined where nothing configures a service on this machine
 * @throws UsageError where the configuration leaves the port to chance; SettingsError, CensusError "bad-file"
 */
export async function serviceAddress(
  named: string | undefined,
  env: NodeJS.ProcessEnv,
  installed: string,
): Promise<ServiceAddress | undefined> {
  const loaded = await loadService(named, env, installed);
  const { plain, tls } = loaded.settings.http;
  if (plain !== undefined) {
    const from = placeOf(loaded, "jetty", "port", "host");
    if (from === unset && !loaded.isNamed) return undefined;
    return { url: new URL(urlOf("http", reachable(plain.host), portOf(plain.port, from))), from };
  }
  if (tls === undefined) return undefined;
  const from = placeOf(loaded, "jetty", "ssl-port", "ssl-host");
  const url = new URL(urlOf("https", reachable(tls.host), portOf(tls.port, from)));
  return { ...(await identityOf(tls)), url, from };
}

interface LoadedService extends LoadedSettings {
  /** Whether a configuration was read, besides variables. */
  readonly isNamed: boolean;
}

/** The settings of the service on this machine: of this configuration, else of the one that is installed. */
export async function loadService(
  config: string | undefined,
  env: NodeJS.ProcessEnv,
  installed: string,
  flags: Flags = {},
): Promise<LoadedService> {
  const path = serviceConfig(config, env, installed);
  return { ...(await loadSettings({ config: path, env, flags })), isNamed: path !== undefined };
}

/** Where the first of these settings that was given was given. */
function placeOf({ entries }: LoadedSettings, section: string, ...names: readonly string[]): string {
  const given = names
    .map((name) => entries.find((entry) => entry.section === section && entry.name === name)?.from)
    .find((from) => from !== undefined && from !== "default");
  return given ?? unset;
}

function portOf(port: number, from: string): number {
  if (port > 0) return port;
  throw new UsageError(`${from}: port 0 changes at each start; give the address with --url`);
}

/** The address under which this machine reaches the listener. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  return isIP(host) === 6 && /^[:0]+$/.test(host) ? "::1" : host;
}

async function identityOf({ cert, key, caCert, clientAuth }: TlsOptions): Promise<ServiceIdentity> {
  const [own, ca] = await Promise.all([readNamedFile("ssl-cert", cert), readNamedFile("ssl-ca-cert", caCert)]);
  const servername = nameIn(own);
  const shown = clientAuth === "none" ? {} : { cert: own, key: await readNamedFile("ssl-key", key) };
  return { ...shown, ca, ...(servername === undefined ? {} : { servername }) };
}

/** The first DNS name of a certificate: the service is reached by an address that the certificate need not name. */
function nameIn(pem: string): string | undefined {
  try {
    return /DNS:([^,\s"*]+)/.exec(new X509Certificate(pem).subjectAltName ?? "")?.[1];
  } catch {
    return undefined;
  }
}
