import type { ServerResponse } from "node:http";
import { pretty } from "./pretty.ts";

/** Media types as the peer spells them. */
export const contentType = {
  json: "application/json;charset=utf-8",
  text: "text/plain;charset=utf-8",
  html: "text/html;charset=utf-8",
} as const;

/** 2xx answers tell caches that compression and the client's kind may change them. */
export const vary = "Accept-Encoding, User-Agent";

/** An answer whose whole body is known before any of it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Plain text: errors of queries, and the few words of the status service. */
export function inText(text: string, status = 400): Answer {
  return { status, headers: { "content-type": contentType.text }, text };
}

/** Compact JSON. */
export function inJson(value: unknown, status = 200): Answer {
  return jsonDocument(JSON.stringify(value), status);
}

/** A JSON document laid out as the peer lays out single objects: two spaces, a space on both sides of the colon. */
export function inPrettyJson(value: unknown, status = 200): Answer {
  return jsonDocument(pretty(value), status);
}

/** A JSON document that is a text already. */
export function jsonDocument(text: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { "content-type": contentType.json, ...(status < 300 ? { vary } : {}), ...headers },
    text,
  };
}

/** What the peer says where it has no route. */
export function nowhere(): Answer {
  return { status: 404, headers: { "content-type": contentType.html }, text: "Not Found" };
}

/**
 * Sends it in one write.
 * @param usual headers that hold where the answer has no others
 */
export function send(
  response: ServerResponse,
  { status, headers, text }: Answer,
  usual: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...usual, ...headers, "content-length": Buffer.byteLength(text) });
  response.end(text);
}
