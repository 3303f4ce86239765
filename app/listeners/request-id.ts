import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Accepted ids of clients: short, and unable to forge a line of a log. */
const SANE = /^[\w.:+/=@-]{1,128}$/;

const ids = new WeakMap<IncomingMessage, string>();

/**
 * The id of a request, by which its lines in logs are found: the client's own `X-Request-Id` if it is acceptable, else a
 * new one. It does not change during the request.
 */
export function requestId(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const sent = request.headers["x-request-id"];
  const id = typeof sent === "string" && SANE.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}
