import type { TLSSocket } from "node:tls";
import type { H3Event } from "h3";
import { contentType } from "../http/answer.ts";
import { jsonText, notFound, prettyAnswer, respond } from "../http/answers.ts";
import { nodeRequest, rawTarget } from "../http/request.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { dashboardMeters } from "../metrics/dashboard.ts";
import { dashboardPage } from "./dashboard-page.ts";

const INDEX = "/dashboard/index.html";

/** `GET /`: to the overview. */
export function answerRoot(): Response {
  return redirection(`/pdb${INDEX}`);
}

/** `/pdb`, `/pdb/` and `/pdb/dashboard/**` (`reference/http.md §1.1`). */
export async function answerPages({ beans }: MetricsContext, event: H3Event): Promise<Response> {
  const { path } = rawTarget(event);
  switch (path) {
    case "/pdb":
    case "/pdb/":
      return redirection(`${ownOrigin(event)}/pdb${INDEX}`);
    case `/pdb${INDEX}`:
      return respond(dashboardPage, { "content-type": contentType.html, "content-security-policy": pagePolicy });
    case "/pdb/dashboard/data":
      return prettyAnswer(await dashboardMeters(beans));
    default:
      return notFound();
  }
}

/** The page asks this service for figures, and nobody for anything else. */
const pagePolicy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** What is answered outside of everything that is served: JSON to those who ask for it, else a page. */
export function answerElsewhere(event: H3Event): Response {
  const { path } = rawTarget(event);
  const accept = nodeRequest(event).headers.accept ?? "";
  if (/\bapplication\/json\b/.test(accept)) {
    const body = JSON.stringify({ message: "Not Found", url: path, status: "404" });
    return jsonText(body, 404, { "content-type": "application/json" });
  }
  const html = "<!DOCTYPE html>\n<title>Not Found</title>\n<h1>Not Found</h1>\n";
  return respond(html, { "content-type": "text/html;charset=iso-8859-1" }, 404);
}

function redirection(location: string): Response {
  return respond(null, { location, "content-length": "0" }, 302);
}

/** Scheme, host and port as the client wrote them; nothing when it did not say. */
function ownOrigin(event: H3Event): string {
  const { headers, socket } = nodeRequest(event);
  if (headers.host === undefined) return "";
  return `${(socket as TLSSocket).encrypted ? "https" : "http"}://${headers.host}`;
}
