import type { IncomingMessage } from "node:http";
import { type HttpResponse, textResponse } from "./response.ts";

/** What PuppetDB answers to a request that its rules for metrics and status do not allow (`reference/http.md §7.4`). */
export function forbiddenRequest({ method = "GET" }: IncomingMessage, path: string): HttpResponse {
  const text = `Forbidden request: ${path} (method :${method.toLowerCase()}). Please see the server logs for details.`;
  return textResponse(text, 403);
}
