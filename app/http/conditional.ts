import type { IncomingMessage } from "node:http";
import type { HttpResponse } from "./response.ts";

/**
 * The response, or a 304 without a body where the client has it already: where `If-None-Match` names its `etag`
 * (RFC 9110 §13.1.2, weak comparison).
 */
export function unlessKnown({ headers }: IncomingMessage, response: HttpResponse): HttpResponse {
  const { etag } = response.headers;
  const known = headers["if-none-match"];
  if (etag === undefined || known === undefined) return response;
  const isKnown = known.split(",").some((item) => item.trim() === "*" || strong(item.trim()) === strong(etag));
  return isKnown ? { ...response, status: 304, body: undefined } : response;
}

function strong(etag: string): string {
  return etag.replace(/^W\//, "");
}
