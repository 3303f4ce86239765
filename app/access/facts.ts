import type { IncomingMessage } from "node:http";
import { peerOf } from "../listeners/peer.ts";
import { type Family, familyOf } from "./families.ts";

/** All that is known of a request when it is decided whether it may pass. */
export interface RequestFacts {
  /** As the router sees it: dots and needless escapes resolved, so that no spelling leads past a rule. */
  readonly path: string;
  readonly family?: Family;
  readonly method: string;
  readonly listener: "plain" | "tls";
  /** IP address of the client. */
  readonly address: string;
  /** Common name of the certificate that it showed and that was verified. */
  readonly certname?: string;
  readonly host?: string;
  readonly origin?: string;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`: what a browser says of where a request comes from. */
  readonly fetchSite?: string;
  readonly fetchMode?: string;
  readonly fetchDest?: string;
}

/**
 * The facts of a request.
 * @param path as the router sees it
 */
export function factsOf(request: IncomingMessage, path: string): RequestFacts {
  const { headers } = request;
  const family = familyOf(path);
  const origin = headers.origin;
  // Read one by one, not from a table: every request of every client passes here.
  const [site, mode, dest] = [headers["sec-fetch-site"], headers["sec-fetch-mode"], headers["sec-fetch-dest"]];
  return {
    path,
    method: request.method ?? "GET",
    ...peerOf(request),
    ...(family === undefined ? {} : { family }),
    ...(headers.host === undefined ? {} : { host: headers.host }),
    ...(origin === undefined ? {} : { origin }),
    ...(typeof site === "string" ? { fetchSite: site } : {}),
    ...(typeof mode === "string" ? { fetchMode: mode } : {}),
    ...(typeof dest === "string" ? { fetchDest: dest } : {}),
  };
}
