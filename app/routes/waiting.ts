import type { Progress } from "../explorer/api/shapes.ts";
import { namesHtml } from "../http/accept.ts";
import { type HttpResponse, textResponse } from "../http/response.ts";
import type { Fallback, RouteTable } from "../http/route.ts";

/** What is known while a store is being opened or filled. */
export interface WaitingServices {
  readonly progress: () => Progress;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = "1";

/** Responses while a store is not ready: browsers are sent to the explorer, which shows the progress, and others get 503. */
export const waitingRoutes: RouteTable<WaitingServices> = {
  routes: [
    {
      path: "/",
      methods: ["GET"],
      family: "pages",
      metered: undefined,
      feature: "explorer",
      describe: () => ({}),
      handle: ({ progress }, { message }) => {
        const headers = { location: "/explorer/", vary: "Accept" };
        return namesHtml(message) ? { status: 302, headers, body: "" } : unavailable(progress());
      },
    },
  ],
  // Not the page, which has the rest of `/explorer`.
  fallbacks: [notReady("/")],
};

/** 503 for what is below a path. */
export function notReady(below: string): Fallback<WaitingServices> {
  const handle = ({ progress }: WaitingServices): HttpResponse => unavailable(progress());
  return { below, methods: "any", family: "status", metered: undefined, handle };
}

function unavailable({ text, done, total }: Progress): HttpResponse {
  const share =
    done === undefined || total === undefined || total === 0 ? "" : `, ${Math.floor((done / total) * 100)} %`;
  const { status, headers, body } = textResponse(`The data is not ready yet (${text}${share}); try again later`, 503);
  return { status, headers: { ...headers, "retry-after": RETRY_AFTER }, body };
}
