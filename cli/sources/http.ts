import { type IncomingMessage, request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { CensusError, messageOf } from "#storage/errors.ts";
import { placeText } from "../service-config.ts";
import type { Contact } from "./contact.ts";
import { certificateRefusal } from "./tls-refusal.ts";

/** A request to a server. */
export interface Inquiry {
  /** Below the server's address, e.g. `/pdb/query/v4?query=…`. */
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream can be sent once: only the first server gets it. */
  readonly body?: string | Readable;
  readonly signal?: AbortSignal | undefined;
}

/** Messages for network errors. */
const networkErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host",
  EAI_AGAIN: "the host name cannot be resolved",
  ECONNRESET: "connection reset",
  ERR_OSSL_X509_KEY_VALUES_MISMATCH:
    "the key is not that of the client certificate; check --cert and --key, or cert and key of the client configuration",
  ETIMEDOUT: "connection timed out",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  EPROTO: "the server does not use TLS on this port; did you mean http://?",
  HPE_INVALID_CONSTANT: "the server does not use plain HTTP on this port; did you mean https://?",
  ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use TLS on this port; did you mean http://?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not use TLS on this port; did you mean http://?",
  ERR_TLS_CERT_ALTNAME_INVALID: "the server certificate is for another host",
  CERT_HAS_EXPIRED: "the server certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the server certificate is signed by an unknown CA; name the CA with --cacert",
  SELF_SIGNED_CERT_IN_CHAIN: "the server certificate is signed by an unknown CA; name the CA with --cacert",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "the server certificate is signed by an unknown CA; name the CA with --cacert",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the server certificate is signed by an unknown CA; name the CA with --cacert",
};

/** A response that has started, and its server. */
export interface Reply {
  readonly url: URL;
  readonly response: IncomingMessage;
}

/**
 * Sends a request to the first server that can be reached, and waits for the response to start.
 * @throws Unreachable naming the last server and the error; the signal's reason
 */
export async function send(contact: Contact, inquiry: Inquiry): Promise<Reply> {
  const urls = typeof inquiry.body === "object" ? contact.urls.slice(0, 1) : contact.urls;
  for (const [index, url] of urls.entries()) {
    try {
      return { url, response: await sendTo(url, contact, inquiry) };
    } catch (error) {
      inquiry.signal?.throwIfAborted();
      if (index === urls.length - 1) throw new Unreachable(url, error, contact);
    }
  }
  throw new Error("a contact needs an address");
}

async function sendTo(base: URL, contact: Contact, inquiry: Inquiry): Promise<IncomingMessage> {
  const { token, cert, key, ca, servername } = contact;
  const { method = "GET", body, signal } = inquiry;
  const url = new URL(base);
  const [pathname = "", search = ""] = inquiry.path.split(/\?(.*)/s);
  url.pathname = base.pathname.replace(/\/+$/, "") + pathname;
  url.search = search;
  const isSecure = url.protocol === "https:";
  const options: RequestOptions & { cert?: string; key?: string; ca?: string; servername?: string } = {
    method,
    agent: contact.agents?.[isSecure ? "https:" : "http:"] ?? false,
    headers: { ...inquiry.headers, ...(isSecure && token !== undefined ? { "x-authentication": token } : {}) },
    ...(signal === undefined ? {} : { signal }),
    ...(isSecure && cert !== undefined && key !== undefined ? { cert, key } : {}),
    ...(isSecure && ca !== undefined ? { ca } : {}),
    ...(isSecure && servername !== undefined ? { servername } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, options, resolve);
    request.once("error", reject);
    if (typeof body === "object") pipeline(body, request).catch(reject);
    else request.end(body);
  });
}

/** A complete response. */
export interface Fetched {
  readonly status: number;
  readonly body: string;
}

/**
 * Gets a path of a server.
 * @param seconds time limit of the whole response
 * @throws Unreachable when there is no response; CensusError "timeout" when it takes too long
 */
export async function fetchPath(contact: Contact, path: string, seconds: number): Promise<Fetched> {
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const { response } = await send(contact, { path, headers: { accept: "application/json, */*" }, signal });
    return { status: response.statusCode ?? 0, body: await text(response) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CensusError("timeout", `timed out after ${seconds} s`, { cause: error });
  }
}

/** A server that could not be reached. */
export class Unreachable extends CensusError {
  /** The problem without the address. */
  readonly reason: string;

  /** @param contact how it was contacted; absent once its response has started */
  constructor(url: URL, error: unknown, contact?: Contact) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
    const place = contact?.from === undefined ? "" : placeText("address", contact.from);
    const refusal = contact && certificateRefusal(url, contact, error);
    const isPlainReset = code === "ECONNRESET" && url.protocol === "http:" && contact !== undefined;
    const known = isPlainReset
      ? "connection reset; if the server uses TLS on this port, type https://"
      : networkErrors[code];
    const reason = `${refusal ?? known ?? (messageOf(error) || code)}${place}`;
    const hint = "; start a server with census serve, or use --archive, --data or --url";
    super("bad-file", `${nameOf(url)}: ${reason}${code === "ECONNREFUSED" ? hint : ""}`, { cause: error });
    this.reason = reason;
  }
}

/** A server's URL for messages, without password and final `/`. */
export function nameOf(url: URL): string {
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${pathname}`.replace(/\/$/, "");
}
