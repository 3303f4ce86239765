import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What others' ids look like. Nothing that could forge a line of a log, nothing long. */
const SANE = /^[\w.:+/=@-]{1,128}$/;

const ids = new WeakMap<IncomingMessage, string>();

/**
 * The id of a request, by which its lines in logs are found: the client's own `X-Request-Id` when it is sane, else a new
 * one. It stays the same for as long as the request lasts.
 */
export function requestId(request: IncomingMessage): string {
  const known = ids.get(request);
  if (known !== undefined) return known;
  const sent = request.headers["x-request-id"];
  const id = typeof sent === "string" && SANE.test(sent) ? sent : randomUUID();
  ids.set(request, id);
  return id;
}
