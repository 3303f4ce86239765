import { existsSync } from "node:fs";
import type { Agent as HttpAgent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import { homedir } from "node:os";
import { join } from "node:path";
import { readNamedFile } from "#app/listeners/named-file.ts";
import { CensusError } from "#storage/errors.ts";
import { UsageError } from "../errors.ts";
import { installedConfig, serviceConfig, unset } from "../service-config.ts";
import { type ClientConfig, readClientConfig } from "./client-config.ts";
import { type ContactArguments, namesServer, type ServiceArguments } from "./contact-options.ts";

/** How to contact a server. */
export interface Contact {
  /** Base URLs, e.g. `https://census.example.com:8081`. At least one; the first that responds is used. */
  readonly urls: Addresses;
  /** PEM: the client certificate with its key, and the CA of the server. */
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  /** Sent over TLS only. */
  readonly token?: string;
  /** The name expected in the server's certificate, if it is not the host of the URL. */
  readonly servername?: string;
  /** Keeps connections open between requests; absent: each request has one of its own. */
  readonly agents?: { readonly "http:": HttpAgent; readonly "https:": HttpsAgent };
  /** Where the URLs were set, for messages; absent: in a command-line option. */
  readonly from?: string;
}

const defaultUrl = "http://127.0.0.1:8080";

/**
 * The server that a command line means: its options, then the variable, then the configuration of the service of this machine,
 * then the settings of puppetdb_cli, for each thing that is not said.
 * @throws UsageError for an invalid address, or half a pair; CensusError "bad-file" for a file that cannot be read;
 *   SettingsError for a configuration that is not valid
 */
export async function contactOf(
  args: ServiceArguments,
  env: NodeJS.ProcessEnv = process.env,
  installed: string = installedConfig,
): Promise<Contact> {
  if (namesServer(args, env) || !isServiceConfigured(args, env, installed)) return namedContact(args, env);
  const { serviceAddress } = await import("../configured.ts");
  const service = await serviceAddress(args.config, env, installed).catch((error: unknown) => {
    if (args.config !== undefined || !(error instanceof CensusError) || error.code !== "bad-file") throw error;
    throw new CensusError(error.code, `${error.message}; give the address of the server with --url`, { cause: error });
  });
  if (service === undefined) return namedContact(args, env);
  const { url, from, ...identity } = service;
  return { ...identity, ...(await namedContact({ ...args, url: url.href }, env)), from };
}

/** The same for a request that is sent to one server only. */
export async function oneServer(args: ServiceArguments): Promise<Contact> {
  const contact = await contactOf(args);
  return { ...contact, urls: [contact.urls[0]] };
}

/** Whether something on this machine may say where its service listens, so that its settings are worth reading. */
function isServiceConfigured({ config }: ServiceArguments, env: NodeJS.ProcessEnv, installed: string): boolean {
  return (
    serviceConfig(config, env, installed) !== undefined ||
    Object.keys(env).some((name) => name.startsWith("CENSUS_JETTY_"))
  );
}

/** The server as options, the variable and the settings of puppetdb_cli name it. */
async function namedContact(args: ContactArguments, env: NodeJS.ProcessEnv): Promise<Contact> {
  const named = namedUrls(args, env);
  const files = { cacert: args.cacert, cert: args.cert, key: args.key };
  const isPlain = named?.every(({ protocol }) => protocol === "http:");
  // Over plain HTTP nothing else of it is of use.
  const config =
    isPlain === true && args["client-config"] === undefined ? undefined : await readClientConfig(args["client-config"]);
  const configured = named === undefined ? configuredUrls(config) : undefined;
  const urls = named ?? configured ?? [new URL(defaultUrl)];
  const from = placeOf(args, named, configured && config);
  const isSecure = urls.some(({ protocol }) => protocol === "https:");
  const tokens = isSecure ? tokenFiles(args.token, env, config, configured !== undefined) : [];
  return {
    urls,
    ...(from === undefined ? {} : { from }),
    ...(await identity(files, isSecure ? config : undefined)),
    ...(await tokenOf(tokens)),
  };
}

type Addresses = readonly [URL, ...URL[]];

function namedUrls({ url, urls }: ContactArguments, env: NodeJS.ProcessEnv): Addresses | undefined {
  if (url !== undefined && urls !== undefined) throw new UsageError("--url and --urls cannot be used together");
  if (url !== undefined) return readUrls("--url", [url]);
  if (urls !== undefined) return readUrls("--urls", urls.split(","));
  const variable = env["CENSUS_URL"] ?? "";
  return variable === "" ? undefined : readUrls("CENSUS_URL", [variable]);
}

function placeOf(
  { url, urls }: ContactArguments,
  named: unknown,
  config: ClientConfig | undefined,
): string | undefined {
  if (url !== undefined || urls !== undefined) return undefined;
  return named === undefined ? (config?.path ?? unset) : "CENSUS_URL";
}

function configuredUrls(config: ClientConfig | undefined): Addresses | undefined {
  if (config === undefined || config.urls.length === 0) return undefined;
  return readUrls(`${config.path}: server_urls`, config.urls);
}

function readUrls(where: string, texts: readonly string[]): Addresses {
  const [first = "", ...more] = texts.map((text) => text.trim());
  return [readUrl(where, first), ...more.map((text) => readUrl(where, text))];
}

function readUrl(where: string, text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`${where} must be a URL such as http://127.0.0.1:8080, not ${JSON.stringify(text)}`);
}

/** A file with a token, and where it was named. */
interface TokenFile {
  readonly path: string;
  readonly named: string;
}

/**
 * The first of them is used. Without any being named it is the one of Puppet Enterprise's clients, for servers of their
 * configuration alone.
 */
function tokenFiles(
  option: string | undefined,
  env: NodeJS.ProcessEnv,
  config: ClientConfig | undefined,
  isConfigured: boolean,
): TokenFile[] {
  const usual = join(homedir(), ".puppetlabs", "token");
  return [
    { path: option, named: "--token" },
    { path: env["CENSUS_TOKEN_FILE"] || undefined, named: "CENSUS_TOKEN_FILE" },
    { path: config?.token, named: `${config?.path}: token` },
    { path: isConfigured && existsSync(usual) ? usual : undefined, named: "token of puppetdb_cli" },
  ].filter((file): file is TokenFile => file.path !== undefined);
}

async function tokenOf([file]: readonly TokenFile[]): Promise<Pick<Contact, "token">> {
  return file === undefined ? {} : { token: (await readNamedFile(file.named, file.path)).trim() };
}

type Files = Readonly<Record<"cacert" | "cert" | "key", string | undefined>>;

async function identity(files: Files, config: ClientConfig | undefined): Promise<Omit<Contact, "urls">> {
  if ((files.cert === undefined) !== (files.key === undefined))
    throw new UsageError("--cert and --key must be used together");
  // A pair comes from one place.
  const pair = files.cert === undefined ? config : files;
  const read = async (name: keyof Files, from: Files | ClientConfig | undefined): Promise<string | undefined> => {
    const path = from?.[name];
    if (path === undefined) return undefined;
    return readNamedFile(from === files ? `--${name}` : `${config?.path}: ${name}`, path);
  };
  const [cert, key, ca] = await Promise.all([
    read("cert", pair),
    read("key", pair),
    read("cacert", files.cacert === undefined ? config : files),
  ]);
  return {
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(ca === undefined ? {} : { ca }),
  };
}
