import type { ConnectionOptions } from "node:tls";
import {
  type AddressFile,
  decoded,
  invalid,
  isLocal,
  type Place,
  readParameters,
  readSecret,
  readServers,
  readText,
  serverNameOf,
  serversText,
} from "../shared/address.ts";

/** How TLS is used, in the words of PostgreSQL's own clients. */
const modes = ["disable", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof modes)[number];

/** Names of the parameters of an address. */
const parameters = ["sslmode", "sslrootcert", "sslcert", "sslkey"] as const;

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

const PORT = 5432;
const ESCAPED = "the user, the password or the database";
const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/([^/?]+)(?:\?(.*))?$/;

/**
 * Reads `postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?sslmode=…`.
 * @throws CensusError "bad-input" that names what is wrong, without the password
 */
export function readAddress(text: string, passwordFile?: string): Address {
  const [, user = "", password, hosts = "", database = "", query = ""] = FORM.exec(text) ?? [];
  if (hosts === "") throw invalid("expected postgresql://USER@HOST:PORT/DATABASE");
  if (user === "") throw invalid("the user is missing: postgresql://USER@HOST:PORT/DATABASE");
  const servers = readServers(hosts, PORT);
  const given = readParameters(query, parameters);
  const mode = given.get("sslmode") ?? (isLocal(servers) ? "disable" : "verify-full");
  const known = modes.find((each) => each === mode);
  if (known === undefined) throw invalid(`sslmode must be one of ${modes.join(", ")}`);
  return {
    servers,
    user: decoded(user, ESCAPED),
    database: decoded(database, ESCAPED),
    password: password === undefined ? undefined : decoded(password, ESCAPED),
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
  return `postgresql://${serversText(servers)}/${database}`;
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

/** The password as it is now. @throws CensusError "unavailable" if its file cannot be read */
export async function passwordOf({ password, passwordFile }: Address): Promise<string | undefined> {
  return passwordFile === undefined ? password : readSecret(passwordFile);
}

/** The options of TLS for a host; files are read each time, so that renewed certificates are used. */
export async function tlsOf({ tls }: Address, host: string): Promise<false | ConnectionOptions> {
  const { mode, authorities, certificate, key } = tls;
  if (mode === "disable") return false;
  return {
    servername: serverNameOf(host),
    rejectUnauthorized: mode !== "require",
    ...(mode === "verify-ca" ? { checkServerIdentity: () => undefined } : {}),
    ...(authorities === undefined ? {} : { ca: await readText(authorities) }),
    ...(certificate === undefined ? {} : { cert: await readText(certificate) }),
    ...(key === undefined ? {} : { key: await readText(key) }),
  };
}
