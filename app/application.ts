import { payloadAllowance } from "#storage/memory/allowance.ts";
import { memoryBudget } from "#storage/memory/budget.ts";
import { cachedFor } from "#storage/metrics/gauge.ts";
import { systemTicks } from "#storage/metrics/ticks.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import type { Store } from "#storage/store.ts";
import type { Access } from "./access/access.ts";
import { UploadFolder } from "./archive/upload-folder.ts";
import { type CommandSettings, defaultCommandSettings } from "./commands/settings.ts";
import type { Progress } from "./explorer/api/shapes.ts";
import { ChangeFeed } from "./explorer/change-feed.ts";
import { type ExplorerOptions, explorerOptions } from "./explorer/options.ts";
import { nodeHandler } from "./http/adapter.ts";
import type { Handler } from "./http/entrance.ts";
import type { FaultListener } from "./http/fault.ts";
import type { Feature, RouteTable } from "./http/route.ts";
import { Router } from "./http/router.ts";
import type { ListenerLog } from "./listeners/log.ts";
import type { MetricsContext } from "./metrics/context.ts";
import { openApiDocument } from "./openapi/document.ts";
import { type AnswerLimits, QueryAdmission } from "./query/admission.ts";
import { Answers } from "./query/answers.ts";
import { defaultQuerySettings, type QuerySettings } from "./query/settings.ts";
import type { QueryEntry } from "./query/watch.ts";
import { explorerApiRoutes, explorerPageRoutes } from "./routes/explorer.ts";
import { jolokiaRoutes } from "./routes/jolokia.ts";
import { queryRoutes } from "./routes/query.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { routeTables, type Services } from "./routes/index.ts";
import { type WaitingServices, waitingRoutes } from "./routes/waiting.ts";
import { shownOrigin } from "./status/origin-status.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import type { ServiceState } from "./status/service-state.ts";
import { signInStatus } from "./status/sign-in-status.ts";
import { storeFigures } from "./status/store-figures.ts";
import { interfaceVersion } from "./version.ts";

export interface ApplicationOptions extends ExplorerOptions {
  readonly store: Store;
  readonly metrics: MetricsContext;
  readonly access: Access;
  /** Recognises tokens and people; undefined: nobody does. */
  readonly identities?: SignIn | undefined;
  /** Receives a line for each request that is denied. */
  readonly log: ListenerLog;
  readonly commands?: Partial<CommandSettings> | undefined;
  readonly queries?: Partial<QuerySettings> | undefined;
  /** Maximum queries at the same time; default: as many as the memory allows. */
  readonly answers?: Partial<AnswerLimits> | undefined;
  /** Called when a query has ended, if the settings require it. */
  readonly onQuery?: ((entry: QueryEntry) => void) | undefined;
  /** Whether there is `/metrics/v2`; default: yes. */
  readonly hasMetrics?: boolean;
  readonly onFault?: FaultListener | undefined;
}

/** Milliseconds for which a successful read of the store is reused for the status. */
const STATUS_REUSE = 1000;

/** Answers every request over HTTP, of all listeners. */
export function application(options: ApplicationOptions): Handler {
  const router = new Router(routeTables, featuresOf(options));
  return handlerOf(router, servicesOf(options, router), options);
}

/**
 * Answers the requests of clients that know that a store is still being filled: queries, the explorer's data and metrics. The
 * explorer shows the progress as well.
 */
export function fillingApplication(options: ApplicationOptions, progress: () => Progress): Handler {
  const tables: readonly RouteTable<Services & WaitingServices>[] = [
    queryRoutes,
    jolokiaRoutes,
    explorerPageRoutes,
    explorerApiRoutes,
    signInRoutes,
    waitingRoutes,
  ];
  const router = new Router(tables, featuresOf(options));
  const { explorer, ...services } = servicesOf(options, { routes: [] });
  return handlerOf(router, { ...services, explorer: { ...explorer, progress }, progress }, options);
}

function handlerOf<T>(router: Router<T>, services: T, { metrics, access, log, onFault }: ApplicationOptions): Handler {
  const http = new HttpMetrics(metrics.registry);
  return nodeHandler({ router, services, access, log, http, bodies: payloadAllowance(), onFault });
}

function featuresOf(options: ApplicationOptions): ReadonlySet<Feature> {
  const { hasMetrics = true } = options;
  const { enabled } = explorerOptions(options).settings;
  return new Set<Feature>([
    ...(hasMetrics ? ["jolokia" as const] : []),
    ...(enabled ? ["explorer" as const] : []),
    ...(options.identities?.people === undefined ? [] : ["sign-in" as const]),
  ]);
}

function servicesOf(options: ApplicationOptions, { routes }: Pick<Router<Services>, "routes">): Services {
  const { store, metrics, onQuery, onFault } = options;
  const commands = { ...defaultCommandSettings, ...options.commands };
  const settings = { ...defaultQuerySettings, ...options.queries };
  const admission = new QueryAdmission({ ...memoryBudget(), ...options.answers }, settings.idleMs);
  const answers = new Answers(memoryBudget().answers);
  let openApi: string | undefined;
  return {
    store,
    commands,
    metrics,
    signIn: options.identities,
    queries: {
      store,
      settings,
      admission,
      answers,
      onQuery,
    },
    archives: {
      admission,
      bodyMaxSize: commands.bodyMaxSize,
      uploads: new UploadFolder(store.uploadFolder),
      onFault: (error) => onFault?.(error, "GET /pdb/admin/v1/archive, after the response had begun"),
    },
    explorer: {
      ...explorerOptions(options),
      progress: undefined,
      changes: new ChangeFeed({
        revision: () => store.revision,
        settled: () => answers.settled(store.revision),
        versions: () => store.queries.entityVersions(),
      }),
    },
    status: { state: stateOf(store, metrics, options.identities), figures: metrics.figures },
    openApi: () => (openApi ??= JSON.stringify(openApiDocument(routes))),
  };
}

function stateOf(store: Store, { registry, figures }: MetricsContext, signIn: SignIn | undefined): ServiceState {
  return {
    version: interfaceVersion,
    // Migrations are complete before anything listens.
    isInMaintenance: () => false,
    isCatchingUp: () => store.isCatchingUp,
    queueDepth: () => store.queueDepth,
    // Clients that poll the status do not wait for the engine each time.
    readsWork: cachedFor(STATUS_REUSE, systemTicks, () => store.reads()),
    writesWork: async () => !store.isStalled && store.problem === undefined,
    followed: () => store.followed,
    origins: () => store.origins.statuses.map((status) => shownOrigin(status, store.clock)),
    problem: () => store.problem,
    freeBytes: () => store.freeBytes,
    figures: async () => storeFigures(registry, figures.startTime),
    signIn: () => signIn && signInStatus(signIn),
  };
}
