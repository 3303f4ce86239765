import {
  type AddressFile,
  decoded,
  invalid,
  isLocal,
  type Place,
  readParameters,
  readServers,
  serversText,
} from "../shared/address.ts";

/** How TLS is used: not at all, encrypted without verification, or verified. */
const modes = ["disable", "require", "verify"] as const;
type Mode = (typeof modes)[number];

/** Names of the parameters of an address; those of files are the options of NATS's own program. */
const parameters = ["tls", "tlsca", "tlscert", "tlskey", "creds", "replicas"] as const;

/** A NATS cluster, and the stream that is the log. */
export interface Address {
  readonly servers: readonly Place[];
  /** The name of the stream. */
  readonly stream: string;
  /** Copies of the stream that are made when it is created; undefined: 3 in a cluster, otherwise 1. */
  readonly replicas: number | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** A file with the password, or with a token where there is no user; undefined: what the address has. */
  readonly passwordFile: string | undefined;
  /** A file with a JWT and its key. */
  readonly credentials: string | undefined;
  readonly tls: {
    readonly mode: Mode;
    readonly authorities?: string | undefined;
    readonly certificate?: string | undefined;
    readonly key?: string | undefined;
  };
}

const PORT = 4222;
const ESCAPED = "the user or the password";
const FORM = /^(nats|tls):\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/([^/?]+)(?:\?(.*))?$/;
const EXPECTED = "nats://HOST:PORT,HOST:PORT/STREAM";

/**
 * Reads `nats://USER:PASSWORD@HOST:PORT,HOST:PORT/STREAM?tlsca=…`, or the same with `tls:`.
 * @throws CensusError "bad-input" that names what is wrong, without the password
 */
export function readAddress(text: string, passwordFile?: string): Address {
  const [, scheme, user = "", password, hosts = "", stream = "", query = ""] = FORM.exec(text) ?? [];
  if (hosts === "") throw invalid(`expected ${EXPECTED}`);
  // Other names of streams have suffixes, and subjects are made of them.
  if (!/^\w[\w-]{0,199}$/.test(stream)) throw invalid("the name of a stream may have letters, digits, _ and -");
  const servers = readServers(hosts, PORT);
  const given = readParameters(query, parameters);
  const mode = given.get("tls") ?? (scheme === "nats" && isLocal(servers) ? "disable" : "verify");
  const known = modes.find((each) => each === mode);
  if (known === undefined) throw invalid(`tls must be one of ${modes.join(", ")}`);
  if (known === "disable" && scheme === "tls") throw invalid("tls=disable needs nats: in place of tls:");
  const replicas = given.get("replicas");
  if (replicas !== null && !/^[1-5]$/.test(replicas)) throw invalid("replicas must be 1 to 5");
  return {
    servers,
    stream,
    replicas: replicas === null ? undefined : Number(replicas),
    user: user === "" ? undefined : decoded(user, ESCAPED),
    password: password === undefined ? undefined : decoded(password, ESCAPED),
    passwordFile,
    credentials: given.get("creds") ?? undefined,
    tls: {
      mode: known,
      authorities: given.get("tlsca") ?? undefined,
      certificate: given.get("tlscert") ?? undefined,
      key: given.get("tlskey") ?? undefined,
    },
  };
}

/** The address in messages: without secrets. */
export function placeOf({ servers, stream }: Address): string {
  return `nats://${serversText(servers)}/${stream}`;
}

/** The files that a connection needs, besides that of the password. */
export function filesOf({ credentials, tls: { authorities, certificate, key } }: Address): readonly AddressFile[] {
  const files = [
    { parameter: "creds", path: credentials, isSecret: true },
    { parameter: "tlsca", path: authorities, isSecret: false },
    { parameter: "tlscert", path: certificate, isSecret: false },
    { parameter: "tlskey", path: key, isSecret: true },
  ];
  return files.flatMap(({ path, ...file }) => (path === undefined ? [] : [{ path, ...file }]));
}
