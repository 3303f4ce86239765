import type { Readable } from "node:stream";
import { pretty } from "./pretty.ts";
import type { PieceStream } from "./piece-stream.ts";

/** Media types as PuppetDB spells them. */
export const contentType = {
  json: "application/json;charset=utf-8",
  text: "text/plain;charset=utf-8",
  html: "text/html;charset=utf-8",
} as const;

/** Sent with 2xx responses: compression and the kind of client may change them. */
export const vary = "Accept-Encoding, User-Agent";

/** A route's response. `send.ts` writes it. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /**
   * Text or bytes that are complete; pieces, as of rows, that are made while they are sent; any other stream; or none.
   */
  readonly body: string | Uint8Array | PieceStream | Readable | undefined;
}

/** Plain text, mostly the message of an error. */
export function textResponse(text: string, status = 400): HttpResponse {
  return { status, headers: { "content-type": contentType.text }, body: text };
}

/** Compact JSON. */
export function jsonResponse(value: unknown, status = 200): HttpResponse {
  return jsonTextResponse(JSON.stringify(value), status);
}

/** JSON indented as PuppetDB indents single objects: two spaces, and a space on both sides of the colon. */
export function prettyJsonResponse(value: unknown, status = 200): HttpResponse {
  return jsonTextResponse(pretty(value), status);
}

/** JSON that is a text already. */
export function jsonTextResponse(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": contentType.json, ...(status < 300 ? { vary } : {}), ...headers },
    body: text,
  };
}

/** To another address; relative ones keep the host that the client knows. */
export function redirect(location: string, headers: HttpResponse["headers"] = {}): HttpResponse {
  return { status: 302, headers: { location, ...headers }, body: "" };
}

/** What PuppetDB answers where it has no route. */
export function notFound(): HttpResponse {
  return { status: 404, headers: { "content-type": contentType.html }, body: "Not Found" };
}
