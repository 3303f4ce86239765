import { readFile } from "node:fs/promises";
import type { ConnectionOptions } from "node:tls";
import { CensusError, messageOf } from "../../errors.ts";
import { remedyOf } from "../../remedy.ts";

/** How TLS is used, in the words of PostgreSQL's own clients. */
const modes = ["disable", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof modes)[number];

/** Names of the parameters of an address. */
const parameters: readonly string[] = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/** A server, or several of which one accepts commands. */
export interface Address {
  readonly servers: readonly Place[];
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

/** A server of a log. */
interface Place {
  readonly host: string;
  readonly port: number;
}

/** A file that a connection to a log needs. */
interface AddressFile {
  /** The parameter that names it. */
  readonly parameter: string;
  readonly path: string;
  /** Whether other users must not read it. */
  readonly isSecret: boolean;
}

const PORT = 5432;
const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/([^/?\s]+)(?:\?(\S*))?$/;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/**
 * Reads `postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?sslmode=…`.
 * @param passwordFile a file with the password, which is read at each connection
 * @throws CensusError "bad-input" that names what is wrong, without the password
 */
export function readAddress(text: string, passwordFile?: string): Address {
  if (/(?:^|\s)(?:nats|tls):\/\//.test(text)) {
    throw invalid(
      "since 0.1.0 the log is in PostgreSQL only, not in NATS JetStream: postgresql://USER@HOST:PORT/DATABASE",
    );
  }
  if (/\s/.test(text)) {
    throw invalid("since 0.1.0 a server has one log, not several; copy the data of other sites with census follow");
  }
  const [, user = "", password, hosts = "", database = "", query = ""] = FORM.exec(text) ?? [];
  if (hosts === "") throw invalid("expected postgresql://USER@HOST:PORT/DATABASE");
  if (user === "") throw invalid("the user is missing: postgresql://USER@HOST:PORT/DATABASE");
  const servers = hosts.split(",").map(readServer);
  const given = readParameters(query);
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

function readServer(text: string): Place {
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  const number = port === undefined ? PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535) throw invalid(`${JSON.stringify(text)} is not HOST:PORT`);
  return { host, port: number };
}

function readParameters(query: string): URLSearchParams {
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (parameters.includes(name)) continue;
    throw invalid(`unknown parameter ${JSON.stringify(name)}; known are ${parameters.join(", ")}`);
  }
  return given;
}

/** A part of an address with its escapes resolved. */
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

/** The address in messages: without the password. */
export function placeOf({ servers, database }: Address): string {
  const hosts = servers.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`);
  return `postgresql://${hosts.join(",")}/${database}`;
}

/** The files that a connection needs, besides that of the password. */
export function filesOf({ tls: { authorities, certificate, key } }: Address): readonly AddressFile[] {
  const files = [
    { parameter: "sslrootcert", path: authorities, isSecret: false },
    { parameter: "sslcert", path: certificate, isSecret: false },
    { parameter: "sslkey", path: key, isSecret: true },
  ];
  return files.flatMap(({ path, ...file }) => (path === undefined ? [] : [{ path, ...file }]));
}

/** The password as it is now: the first line of its file. @throws CensusError "unavailable" if that cannot be read */
export async function passwordOf({ password, passwordFile }: Address): Promise<string | undefined> {
  return passwordFile === undefined ? password : (await readText(passwordFile)).split(/\r?\n/, 1)[0];
}

/** The options of TLS for a host; files are read each time, so that renewed certificates are used. */
export async function tlsOf({ tls }: Address, host: string): Promise<false | ConnectionOptions> {
  const { mode, authorities, certificate, key } = tls;
  if (mode === "disable") return false;
  return {
    // Without a name where the host is an IP address.
    servername: /^[\d.]+$|:/.test(host) ? "" : host,
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
    ...(authorities === undefined ? {} : { ca: await readText(authorities) }),
    ...(certificate === undefined ? {} : { cert: await readText(certificate) }),
    ...(key === undefined ? {} : { key: await readText(key) }),
  };
}

/** The content of a file that a connection needs. @throws CensusError "unavailable" if it cannot be read */
async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new CensusError("unavailable", `${path}: cannot be read: ${messageOf(error)}; ${remedyOf(error)}`, {
      cause: error,
    });
  });
}
