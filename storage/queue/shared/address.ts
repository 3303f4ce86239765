import { readFile } from "node:fs/promises";
import { CensusError, messageOf } from "../../errors.ts";
import { remedyOf } from "../../remedy.ts";

/** A server of a log. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** A file that a connection to a log needs. */
export interface AddressFile {
  /** The parameter that names it. */
  readonly parameter: string;
  readonly path: string;
  /** Whether other users must not read it. */
  readonly isSecret: boolean;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Whether servers are on this machine: then TLS is not needed. */
export function isLocal(servers: readonly Place[]): boolean {
  return servers.every(({ host }) => LOOPBACK.test(host));
}

/** Reads `HOST:PORT,HOST:PORT`. @throws CensusError "bad-input" */
export function readServers(text: string, defaultPort: number): readonly Place[] {
  return text.split(",").map((part) => readServer(part, defaultPort));
}

function readServer(text: string, defaultPort: number): Place {
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? name;
  const number = port === undefined ? defaultPort : Number(port);
  if (host === undefined || number < 1 || number > 65_535) throw invalid(`${JSON.stringify(text)} is not HOST:PORT`);
  return { host, port: number };
}

/** `HOST:PORT,HOST:PORT` */
export function serversText(servers: readonly Place[]): string {
  return servers.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`).join(",");
}

/** The parameters of an address. @throws CensusError "bad-input" for one that is not known */
export function readParameters(query: string, names: readonly string[]): URLSearchParams {
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!names.includes(name)) {
      throw invalid(`unknown parameter ${JSON.stringify(name)}; known are ${names.join(", ")}`);
    }
  }
  return given;
}

/** A part of an address with its escapes resolved. @param parts what may have escapes, for the message */
export function decoded(text: string, parts: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(`a % in ${parts} must be written %25`);
  }
}

/** The name by which a host is verified; empty for an IP address. */
export function serverNameOf(host: string): string {
  return /^[\d.]+$|:/.test(host) ? "" : host;
}

/** The content of a file that a connection needs. @throws CensusError "unavailable" if it cannot be read */
export async function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new CensusError("unavailable", `${path}: cannot be read: ${messageOf(error)}; ${remedyOf(error)}`, {
      cause: error,
    });
  });
}

/** The first line of a file. @throws CensusError "unavailable" if it cannot be read */
export async function readSecret(path: string): Promise<string> {
  return (await readText(path)).split(/\r?\n/, 1)[0] ?? "";
}

/** The error for an invalid address. */
export function invalid(problem: string): CensusError {
  return new CensusError("bad-input", `command-log: ${problem}`);
}
