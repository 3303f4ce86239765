import type { TLSSocket } from "node:tls";
import type { ExplorerSettings } from "../explorer/settings.ts";
import { namesHtml } from "../http/accept.ts";
import type { HttpRequest } from "../http/request.ts";
import {
  contentType,
  type HttpResponse,
  jsonTextResponse,
  notFound,
  prettyJsonResponse,
  redirect,
} from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import type { MetricsContext } from "../metrics/context.ts";
import { dashboardMeters } from "../metrics/dashboard.ts";
import { json } from "../openapi/replies.ts";
import type { Operation, Reply } from "../openapi/types.ts";
import { dashboardPage } from "./dashboard-page.ts";

/** The values that the overview page shows, and whether there are other pages. */
export interface PageServices {
  readonly metrics: MetricsContext;
  readonly explorer: { readonly settings: ExplorerSettings };
}

const INDEX = "/pdb/dashboard/index.html";
const EXPLORER = "/explorer/";

/** The overview page and the ways to it (`reference/http.md §1.1`), and the response where there is no route at all. */
export const pageRoutes: RouteTable<PageServices> = {
  routes: [
    {
      path: "/",
      anySpelling: true,
      methods: "any",
      family: "pages",
      metered: undefined,
      describe: () => ({
        get: { ...redirection, summary: "Redirect browsers to the explorer, other clients to the overview page" },
      }),
      handle: ({ explorer }, { message }) => {
        if (!explorer.settings.enabled) return redirect(INDEX);
        return redirect(namesHtml(message) ? EXPLORER : INDEX, { vary: "Accept" });
      },
    },
    {
      path: "/pdb",
      anySpelling: true,
      methods: "any",
      family: "pages",
      metered: "/pdb",
      describe: () => ({ get: redirection }),
      handle: (_, request) => redirect(`${ownOrigin(request)}${INDEX}`),
    },
    {
      path: INDEX,
      methods: "any",
      family: "pages",
      metered: "/pdb",
      describe: () => ({ get: page }),
      handle: () => ({
        status: 200,
        headers: { "content-type": contentType.html, "content-security-policy": pagePolicy },
        body: dashboardPage,
      }),
    },
    {
      path: "/pdb/dashboard/data",
      methods: "any",
      family: "metrics",
      metered: "/pdb",
      describe: () => ({ get: { summary: "Meters of the overview page", responses: { "200": meters } } }),
      handle: async ({ metrics: { beans } }) => prettyJsonResponse(await dashboardMeters(beans)),
    },
  ],
  fallbacks: [
    { below: "/pdb/dashboard", methods: "any", family: "pages", metered: "/pdb", handle: () => notFound() },
    { below: "/pdb", methods: "any", family: undefined, metered: "/pdb", handle: () => notFound() },
    {
      below: "/metrics",
      methods: "any",
      family: "metrics",
      metered: "/metrics",
      handle: (_, request) => nowhere(request),
    },
    { below: "/", methods: "any", family: undefined, metered: undefined, handle: (_, request) => nowhere(request) },
  ],
};

/** The page fetches meters from this service, and nothing from anywhere else. */
const pagePolicy = "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/** The 404 outside of PuppetDB's interface: JSON for clients that accept it, else a page. */
function nowhere({ message, path }: HttpRequest): HttpResponse {
  const accept = message.headers.accept ?? "";
  if (/\bapplication\/json\b/.test(accept)) {
    const body = JSON.stringify({ message: "Not Found", url: path, status: "404" });
    return jsonTextResponse(body, 404, { "content-type": "application/json" });
  }
  const html = "<!DOCTYPE html>\n<title>Not Found</title>\n<h1>Not Found</h1>\n";
  return { status: 404, headers: { "content-type": "text/html;charset=iso-8859-1" }, body: html };
}

/** Scheme, host and port as the client wrote them; empty without a `Host`. */
function ownOrigin({ message: { headers, socket } }: HttpRequest): string {
  if (headers.host === undefined) return "";
  return `${(socket as TLSSocket).encrypted ? "https" : "http"}://${headers.host}`;
}

const moved: Reply = {
  description: "To the overview page",
  headers: { Location: { description: "Its address", schema: { type: "string" } } },
};

const redirection: Operation = { summary: "Redirect to the overview page", responses: { "302": moved } };

const page: Operation = {
  summary: "The overview page",
  responses: { "200": { description: "The page", content: { "text/html": { schema: { type: "string" } } } } },
};

const meters = json("Meters", { type: "array" });
