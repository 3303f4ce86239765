import { payloadAllowance } from "#storage/memory/allowance.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { Registry } from "#storage/metrics/registry.ts";
import type { Access } from "./access/access.ts";
import { type AboutService, aboutService, type Progress } from "./explorer/about.ts";
import { apiRoot } from "./explorer/api/endpoint.ts";
import { apiHeaders } from "./explorer/headers.ts";
import { type ExplorerOptions, explorerOptions } from "./explorer/options.ts";
import { nodeHandler } from "./http/adapter.ts";
import { namesHtml } from "./http/accept.ts";
import type { Handler } from "./http/entrance.ts";
import type { FaultListener } from "./http/fault.ts";
import { type HttpResponse, jsonResponse, textResponse } from "./http/response.ts";
import type { Fallback, RouteTable } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { ListenerLog } from "./listeners/log.ts";
import { defaultQuerySettings, type QuerySettings } from "./query/settings.ts";
import { explorerPageRoutes } from "./routes/explorer.ts";

export interface LoadingOptions extends ExplorerOptions {
  readonly access: Access;
  readonly log: ListenerLog;
  readonly queries?: Partial<QuerySettings> | undefined;
  readonly onFault?: FaultListener | undefined;
}

interface LoadingServices {
  readonly about: AboutService;
  readonly progress: () => Progress;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = "1";

/** Responses while a store is being opened: the explorer's page, which shows the progress, and 503. */
const loadingRoutes: RouteTable<LoadingServices> = {
  routes: [
    {
      path: `${apiRoot}/about`,
      methods: ["GET"],
      family: "query",
      metered: undefined,
      feature: "explorer",
      describe: () => ({}),
      handle: ({ about, progress }) => {
        const { status, headers, body } = jsonResponse({ ...about, state: "loading", progress: progress() });
        return { status, headers: { ...headers, ...apiHeaders }, body };
      },
    },
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
  fallbacks: [notReady("/"), notReady("/explorer/api")],
};

function notReady(below: string): Fallback<LoadingServices> {
  const handle = ({ progress }: LoadingServices): HttpResponse => unavailable(progress());
  return { below, methods: "any", family: "status", metered: undefined, handle };
}

/**
 * Answers requests while a store is being opened.
 * @param progress the progress of opening
 */
export function loadingApplication(options: LoadingOptions, progress: () => Progress): Handler {
  const { access, log, onFault } = options;
  const { settings, source } = explorerOptions(options);
  const queries = { ...defaultQuerySettings, ...options.queries };
  return nodeHandler<LoadingServices>({
    router: new Router([explorerPageRoutes, loadingRoutes], new Set(settings.enabled ? ["explorer"] : [])),
    services: { about: aboutService(source, settings, queries), progress },
    access,
    log,
    // Metrics cannot be read yet: those of the store begin when it is open.
    http: new HttpMetrics(new Registry()),
    bodies: payloadAllowance(),
    onFault,
  });
}

function unavailable({ text, done, total }: Progress): HttpResponse {
  const share =
    done === undefined || total === undefined || total === 0 ? "" : `, ${Math.floor((done / total) * 100)} %`;
  const { status, headers, body } = textResponse(`The data is not ready yet (${text}${share}); try again later`, 503);
  return { status, headers: { ...headers, "retry-after": RETRY_AFTER }, body };
}
