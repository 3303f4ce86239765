import type { IncomingMessage } from "node:http";
import { type Answer, inJson } from "./answer.ts";

const acceptable: ReadonlySet<string> = new Set(["*/*", "application/*", "application/json"]);

/**
 * The checks of Content-Type and Accept that come before routing (`reference/http.md §3`): an answer when one fails.
 * Quality values are not understood, as in the peer.
 */
export function refuseMedia(request: IncomingMessage, path: string): Answer | undefined {
  const method = request.method ?? "GET";
  const type = request.headers["content-type"];
  if ((method === "POST" || method === "PUT") && type !== undefined && type !== "") {
    const media = type.split(";")[0]?.trim().toLowerCase();
    if (media !== "application/json") {
      const msg = `content-type ${media} is not a supported type for request of type :${method.toLowerCase()} at ${path}`;
      return inJson({ kind: "unsupported-type", msg }, 415);
    }
  }
  const { accept } = request.headers;
  if (accept !== undefined && !accept.split(",").some((item) => acceptable.has(item.trim()))) {
    return inJson({ kind: "not-acceptable", msg: "accept header must include application/json" }, 406);
  }
  return undefined;
}
