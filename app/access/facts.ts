import type { H3Event } from "h3";
import { peerOf } from "../listeners/peer.ts";
import { nodeRequest } from "../http/request.ts";
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

const headers = {
  host: "host",
  origin: "origin",
  fetchSite: "sec-fetch-site",
  fetchMode: "sec-fetch-mode",
  fetchDest: "sec-fetch-dest",
} as const;

/** The facts of a request. */
export function factsOf(event: H3Event): RequestFacts {
  const request = nodeRequest(event);
  const path = event.url.pathname;
  const family = familyOf(path);
  const sent = Object.entries(headers).flatMap(([fact, name]) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[fact, value]] : [];
  });
  return {
    path,
    method: request.method ?? "GET",
    ...peerOf(request),
    ...(family === undefined ? {} : { family }),
    ...(Object.fromEntries(sent) as Partial<Record<keyof typeof headers, string>>),
  };
}
