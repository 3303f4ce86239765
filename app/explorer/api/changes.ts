import { markEndless } from "../../http/endless.ts";
import { textResponse } from "../../http/response.ts";
import { plain } from "../../openapi/replies.ts";
import { apiHeaders } from "../headers.ts";
import type { Endpoint } from "./endpoint.ts";

/** Seconds after which a page that found no place may try again. */
const RETRY_AFTER = "60";

/** `changes`: server-sent events that say which entities have changed, so that pages can follow the store. */
export const changes: Endpoint = {
  path: "changes",
  isEndless: true,
  describe: () => ({ get: operation }),
  handle: ({ explorer }, { response }) => {
    const following = explorer.changes.follow();
    if (following === undefined) {
      const refusal = textResponse("Too many pages follow the changes already; try again later", 503);
      return { ...refusal, headers: { ...refusal.headers, ...apiHeaders, "retry-after": RETRY_AFTER } };
    }
    const { stream, end } = following;
    markEndless(response, end);
    // Proxies that collect a response before they pass it on would pass nothing on.
    const headers = { ...apiHeaders, "content-type": "text/event-stream", "x-accel-buffering": "no" };
    return { status: 200, headers, body: stream };
  },
};

const operation = {
  summary: "Follow what changes",
  description:
    "Server-sent events named `changes`, at most one a second, with a JSON object: `revision`, and in all but the first event " +
    "`changed`, the entities whose rows have changed since the event before. A client that reads slowly receives fewer events, " +
    "none of which is missing an entity. A change is announced when all that a client requests from then on includes it. The response ends after ten minutes and when the service stops.",
  responses: {
    "200": { description: "The events", content: { "text/event-stream": { schema: { type: "string" } } } },
    "503": plain("Too many clients follow already"),
  },
} as const;
