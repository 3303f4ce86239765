import type { IncomingMessage } from "node:http";
import { type Peer, peerOf } from "../listeners/peer.ts";
import type { Family } from "./families.ts";
import type { Refusal } from "./refusal.ts";
import type { Identify, Subject } from "./subject.ts";

/** The facts about a request that the access rules use. */
export interface RequestFacts {
  /** As the router sees it; where there is no route, with dots and needless escapes resolved. */
  readonly path: string;
  /** Missing where there is no route. */
  readonly family?: Family;
  readonly method: string;
  readonly listener: "plain" | "tls" | "people";
  /** IP address of the client. */
  readonly address: string;
  /** Common name of its verified certificate. */
  readonly certname?: string;
  /** Whether such a certificate was presented, but has no common name, or several. */
  readonly isUnnamed?: boolean;
  /** The token or the person, where these are recognised. */
  readonly subject?: Subject;
  /** Credentials were sent that are not valid. */
  readonly invalid?: Refusal;
  /** A client without credentials, where some would be recognised. */
  readonly mayIdentify?: boolean;
  /** A proxy has passed the request on, where tokens or people are recognised. */
  readonly isForwarded?: boolean;
  /** The endpoint is how people sign in. */
  readonly isOpen?: boolean;
  readonly host?: string;
  readonly origin?: string;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`: a browser's statement of where a request comes from. */
  readonly fetchSite?: string;
  readonly fetchMode?: string;
  readonly fetchDest?: string;
}

/** The facts of a request; for `path` and `family` see {@link RequestFacts}. */
export function factsOf(
  request: IncomingMessage,
  path: string,
  family: Family | undefined,
  identify?: Identify,
): RequestFacts {
  const { headers } = request;
  const origin = headers.origin;
  // Read one by one, which is faster than a table: every request passes here.
  const [site, mode, dest] = [headers["sec-fetch-site"], headers["sec-fetch-mode"], headers["sec-fetch-dest"]];
  const peer = peerOf(request);
  return {
    path,
    method: request.method ?? "GET",
    ...peer,
    ...(identify === undefined ? {} : identified(request, peer, identify)),
    ...(family === undefined ? {} : { family }),
    ...(headers.host === undefined ? {} : { host: headers.host }),
    ...(origin === undefined ? {} : { origin }),
    ...(typeof site === "string" ? { fetchSite: site } : {}),
    ...(typeof mode === "string" ? { fetchMode: mode } : {}),
    ...(typeof dest === "string" ? { fetchDest: dest } : {}),
  };
}

function identified(request: IncomingMessage, peer: Peer, identify: Identify): Partial<RequestFacts> {
  const { headers } = request;
  const found = identify(request, peer);
  return {
    ...found,
    isForwarded: headers["x-forwarded-for"] !== undefined || headers["forwarded"] !== undefined,
    mayIdentify: found.subject === undefined && peer.certname === undefined && peer.listener !== "plain",
  };
}
