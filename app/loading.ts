import { payloadAllowance } from "#storage/memory/allowance.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import { Registry } from "#storage/metrics/registry.ts";
import type { Access } from "./access/access.ts";
import { aboutService } from "./explorer/about.ts";
import type { AboutService, Progress } from "./explorer/api/shapes.ts";
import { apiRoot } from "./explorer/api/endpoint.ts";
import { apiHeaders } from "./explorer/headers.ts";
import { type ExplorerOptions, explorerOptions } from "./explorer/options.ts";
import { nodeHandler } from "./http/adapter.ts";
import type { Handler } from "./http/entrance.ts";
import type { FaultListener } from "./http/fault.ts";
import { jsonResponse } from "./http/response.ts";
import type { RouteTable } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { ListenerLog } from "./listeners/log.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { defaultQuerySettings, type QuerySettings } from "./query/settings.ts";
import { explorerPageRoutes } from "./routes/explorer.ts";
import { type SignInServices, signInRoutes } from "./routes/sign-in.ts";
import { notReady, type WaitingServices, waitingRoutes } from "./routes/waiting.ts";

export interface LoadingOptions extends ExplorerOptions {
  readonly access: Access;
  readonly identities?: SignIn | undefined;
  readonly log: ListenerLog;
  readonly queries?: Partial<QuerySettings> | undefined;
  readonly onFault?: FaultListener | undefined;
}

interface LoadingServices extends WaitingServices, SignInServices {
  readonly about: AboutService;
}

/** What the explorer's page needs to show the progress while a store is being opened. */
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
  ],
  fallbacks: [notReady("/explorer/api")],
};

/**
 * Answers requests while a store is being opened.
 * @param progress the progress of opening
 */
export function loadingApplication(options: LoadingOptions, progress: () => Progress): Handler {
  const { access, log, onFault } = options;
  const signIn = options.identities;
  const { settings, source } = explorerOptions(options);
  const queries = { ...defaultQuerySettings, ...options.queries };
  return nodeHandler<LoadingServices>({
    router: new Router(
      [explorerPageRoutes, loadingRoutes, signInRoutes, waitingRoutes],
      new Set([
        ...(settings.enabled ? ["explorer" as const] : []),
        ...(signIn?.people === undefined ? [] : ["sign-in" as const]),
      ]),
    ),
    services: { about: aboutService(source, settings, queries), progress, signIn },
    access,
    log,
    // Metrics cannot be read yet: those of the store begin when it is open.
    http: new HttpMetrics(new Registry()),
    bodies: payloadAllowance(),
    onFault,
  });
}
