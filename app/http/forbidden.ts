import type { IncomingMessage } from "node:http";
import { type Answer, inText } from "./answer.ts";

/** What the peer says to a request that its policy for metrics and status does not allow (`reference/http.md §7.4`). */
export function forbiddenRequest({ method = "GET" }: IncomingMessage, path: string): Answer {
  const text = `Forbidden request: ${path} (method :${method.toLowerCase()}). Please see the server logs for details.`;
  return inText(text, 403);
}
