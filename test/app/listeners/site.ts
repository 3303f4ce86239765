import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request as httpRequest, type Agent, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { SecureVersion } from "node:tls";
import type { ListenerLog } from "#app/listeners/log.ts";
import type { TlsOptions } from "#app/listeners/tls.ts";
import { type Authority, createAuthority, hoursFromNow, type Identity } from "#test/certificates.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

/** A log that keeps its messages. */
export interface KeptLog extends ListenerLog {
  readonly notices: string[];
  readonly warnings: string[];
}

export function keptLog(): KeptLog {
  const notices: string[] = [];
  const warnings: string[] = [];
  return { notices, warnings, notice: (line) => notices.push(line), warn: (line) => warnings.push(line) };
}

/** A site with an authority of its own: its files, and people with all kinds of certificates. */
export interface Site extends AsyncDisposable {
  readonly authority: Authority;
  /** For a TLS listener on a free port of 127.0.0.1, with a revocation list that names `revoked`. */
  readonly tls: TlsOptions;
  readonly people: Readonly<Record<Person, Identity | undefined>>;
  path(name: string): string;
  /** Writes a file of the site and returns its path. */
  write(name: string, text: string): Promise<string>;
}

export type Person = "member" | "stranger" | "impostor" | "expired" | "early" | "revoked" | "anonymous";

export const serverNames = ["localhost", "127.0.0.1", "::1"];

export async function openSite(): Promise<Site> {
  const folder = await temporaryFolder();
  const authority = createAuthority("Site CA");
  const people = {
    member: authority.issue({ name: "member.example.com" }),
    stranger: createAuthority("Other CA").issue({ name: "member.example.com" }),
    // of an authority that calls itself by our authority's name
    impostor: createAuthority("Site CA").issue({ name: "member.example.com" }),
    expired: authority.issue({ name: "member.example.com", from: hoursFromNow(-3), until: hoursFromNow(-1) }),
    early: authority.issue({ name: "member.example.com", from: hoursFromNow(1), until: hoursFromNow(3) }),
    revoked: authority.issue({ name: "member.example.com" }),
    anonymous: undefined,
  };
  const path = (name: string): string => join(folder.path, name);
  const write = async (name: string, text: string): Promise<string> => {
    await writeFile(path(name), text);
    return path(name);
  };
  const server = authority.issue({ name: "census.example.com", at: serverNames });
  const tls: TlsOptions = {
    host: "127.0.0.1",
    port: 0,
    cert: await write("cert.pem", server.cert),
    key: await write("key.pem", server.key),
    caCert: await write("ca.pem", authority.cert),
    crl: await write("crl.pem", authority.revoke([people.revoked])),
  };
  return { authority, people, tls, path, write, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** How a client goes into a handshake. */
export interface Handshake {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
  /** The name that the certificate is checked for; default: the host. */
  readonly servername?: string;
}

export interface Sent extends Handshake {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection's keeper; default: one connection for this request. */
  readonly agent?: Agent;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Sends a request and reads its answer; fails with the error of the connection when there is none. */
export async function send(url: string, sent: Sent = {}): Promise<Got> {
  const { path = "/", body, agent, ...options } = sent;
  const send = url.startsWith("https:") ? httpsRequest : httpRequest;
  const outgoing = send(url + path, { ...options, agent: agent ?? false });
  outgoing.end(body);
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: (await buffer(response)).toString() };
}

/** What a client says of itself in a handshake with a listener of the site. */
export function as(site: Site, person: Person): Handshake {
  const identity = site.people[person];
  return { ca: site.authority.cert, ...(identity === undefined ? {} : { cert: identity.cert, key: identity.key }) };
}

/** What became of a request: its status, or `refused` when the connection was ended instead. */
export async function outcome(response: Promise<Got>): Promise<number | "refused"> {
  try {
    return (await response).status;
  } catch {
    return "refused";
  }
}
