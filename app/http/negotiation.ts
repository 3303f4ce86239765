import type { IncomingMessage } from "node:http";
import { type HttpResponse, jsonResponse } from "./response.ts";

const acceptable: ReadonlySet<string> = new Set(["*/*", "application/*", "application/json"]);

/**
 * Checks Content-Type and Accept (`reference/http.md §3`). Quality values are ignored, as in PuppetDB.
 * @returns the response when a check fails
 */
export function mediaRefusal(request: IncomingMessage, path: string): HttpResponse | undefined {
  const method = request.method ?? "GET";
  const type = request.headers["content-type"];
  if ((method === "POST" || method === "PUT") && type !== undefined && type !== "") {
    const media = type.split(";")[0]?.trim().toLowerCase();
    if (media !== "application/json") {
      const msg = `content-type ${media} is not a supported type for request of type :${method.toLowerCase()} at ${path}`;
      return jsonResponse({ kind: "unsupported-type", msg }, 415);
    }
  }
  const { accept } = request.headers;
  if (accept !== undefined && !accept.split(",").some((item) => acceptable.has(item.trim()))) {
    return jsonResponse({ kind: "not-acceptable", msg: "accept header must include application/json" }, 406);
  }
  return undefined;
}
