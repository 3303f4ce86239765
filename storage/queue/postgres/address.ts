import { readFile } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";
import { CensusError, messageOf } from "../../errors.ts";
import { remedyOf } from "../../remedy.ts";

/** How TLS is used, in the words of PostgreSQL's own clients. */
const modes = ["disable", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof modes)[number];

/** Names of the parameters of an address. */
const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const;

/** A server, or several of which one accepts commands. */
export interface Address {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
  /** Undefined: that of the address, if it has one. */
  readonly passwordFile: string | undefined;
  readonly tls: {
    readonly mode: Mode;
    readonly authorities?: string | undefined;
    readonly certificate?: string | undefined;
    readonly key?: string | undefined;
  };
}

const PORT = 5432;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;
const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/([^/?]+)(?:\?(.*))?$/;

/**
 * Reads `postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?sslmode=…`.
 * @throws CensusError "bad-input" that names what is wrong, without the password
 */
export function readAddress(text: string, passwordFile?: string): Address {
  const [, user = "", password, hosts = "", database = "", query = ""] = FORM.exec(text) ?? [];
  if (hosts === "") throw invalid("expected postgresql://USER@HOST:PORT/DATABASE");
  if (user === "") throw invalid("the user is missing: postgresql://USER@HOST:PORT/DATABASE");
  const servers = hosts.split(",").map(readServer);
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!parameters.some((known) => known === name)) {
      throw invalid(`unknown parameter ${JSON.stringify(name)}; known are ${parameters.join(", ")}`);
    }
  }
  const isLocal = servers.every(({ host }) => LOOPBACK.test(host));
  const mode = given.get("sslmode") ?? (isLocal ? "disable" : "verify-full");
  const known = modes.find((each) => each === mode);
  if (known === undefined) throw invalid(`sslmode must be one of ${modes.join(", ")}`);
  return {
    servers,
    user: decoded(user),
    database: decoded(database),
    password: password === undefined ? undefined : decoded(password),
    passwordFile,
    tls: {
      mode: known,
      authorities: given.get("sslrootcert") ?? undefined,
      certificate: given.get("sslcert") ?? undefined,
      key: given.get("sslkey") ?? undefined,
    },
  };
}

/** The address in messages: without the password. */
export function placeOf({ servers, database }: Address): string {
  const hosts = servers.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`);
  return `postgresql://${hosts.join(",")}/${database}`;
}

/** The password as it is now. @throws CensusError "unavailable" if its file cannot be read */
export async function passwordOf({ password, passwordFile }: Address): Promise<string | undefined> {
  if (passwordFile === undefined) return password;
  return (await readText(passwordFile)).split(/\r?\n/, 1)[0];
}

/** The options of TLS for a host; files are read each time, so that renewed certificates are used. */
export async function tlsOf({ tls }: Address, host: string): Promise<false | ConnectionOptions> {
  const { mode, authorities, certificate, key } = tls;
  if (mode === "disable") return false;
  return {
    servername: /^[\d.]+$|:/.test(host) ? "" : host,
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
    ...(authorities === undefined ? {} : { ca: await readText(authorities) }),
    ...(certificate === undefined ? {} : { cert: await readText(certificate) }),
    ...(key === undefined ? {} : { key: await readText(key) }),
  };
}

async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new CensusError("unavailable", `${path}: cannot be read: ${messageOf(error)}; ${remedyOf(error)}`, {
      cause: error,
    });
  });
}

function readServer(text: string): Address["servers"][number] {
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  const number = port === undefined ? PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535) throw invalid(`${JSON.stringify(text)} is not HOST:PORT`);
  return { host, port: number };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("a % in the user, the password or the database must be written %25");
  }
}

function invalid(problem: string): CensusError {
  return new CensusError("bad-input", `command-log: ${problem}`);
}
