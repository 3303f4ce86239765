import type { IncomingMessage } from "node:http";
import type { EventHandler } from "h3";
import { payloadAllowance } from "#storage/memory/allowance.ts";
import { memoryBudget } from "#storage/memory/budget.ts";
import { kept } from "#storage/metrics/gauge.ts";
import { systemTicks } from "#storage/metrics/ticks.ts";
import { HttpMetrics } from "#storage/metrics/families/http.ts";
import type { Store } from "#storage/store.ts";
import { type Access, guard } from "./access/access.ts";
import { UploadFolder } from "./archive/upload-folder.ts";
import { commandLane } from "./commands/lane.ts";
import { type CommandSettings, defaultCommandSettings } from "./commands/settings.ts";
import { H3, toNodeHandler } from "./framework.ts";
import type { Handler } from "./http/entrance.ts";
import { asResponse, notFound, textAnswer } from "./http/answers.ts";
import { faultAnswer, type FaultListener } from "./http/fault.ts";
import { admittingBodies } from "./http/bodies.ts";
import { nodeRequest, nodeResponse, rawTarget, targetOf } from "./http/request.ts";
import type { ListenerLog } from "./listeners/log.ts";
import type { MetricsContext } from "./metrics/context.ts";
import { measure } from "./metrics/measure.ts";
import { type AnswerLimits, QueryAdmission } from "./query/admission.ts";
import { defaultQuerySettings, type QuerySettings } from "./query/settings.ts";
import type { QueryEntry } from "./query/watch.ts";
import { answerAdmin } from "./routes/admin.ts";
import { answerArchive } from "./routes/archive.ts";
import { answerCommand } from "./routes/commands.ts";
import { answerMeta, interfaceVersion } from "./routes/meta.ts";
import { answerMetrics } from "./routes/metrics.ts";
import { describing } from "./routes/openapi.ts";
import { answerElsewhere, answerPages, answerRoot } from "./routes/pages.ts";
import { answerPrometheus } from "./routes/prometheus.ts";
import { answerQuery } from "./routes/query.ts";
import { answerStateOverview } from "./routes/state-overview.ts";
import { answerStatus } from "./routes/status.ts";
import type { ServiceState } from "./status/service-state.ts";

export interface ApplicationOptions {
  readonly store: Store;
  readonly metrics: MetricsContext;
  readonly access: Access;
  /** Told of what was not let in. */
  readonly log: ListenerLog;
  readonly commands?: Partial<CommandSettings> | undefined;
  readonly queries?: Partial<QuerySettings> | undefined;
  /** How many answers there may be at the same time; what is not said is as the memory allows. */
  readonly answers?: Partial<AnswerLimits> | undefined;
  /** Told of queries that are over, as the settings want it. */
  readonly onQuery?: ((entry: QueryEntry) => void) | undefined;
  /** Whether there is `/metrics/v2`; default: yes. */
  readonly hasMetrics?: boolean;
  readonly onFault?: FaultListener | undefined;
}

/** How long it is taken for granted that the store answers, ms. */
const STATUS_KEPT = 1000;

const archivePath = "/pdb/admin/v1/archive";

type Route = readonly [path: string, handler: EventHandler];

/** The routes: first come, first served. Methods are the routes' own affair, since the peer hardly looks at them. */
export function routesOf(options: ApplicationOptions): readonly Route[] {
  const { store, metrics, queries, onQuery, onFault, hasMetrics = true } = options;
  const commandSettings = commandSettingsOf(options);
  const settings = { ...defaultQuerySettings, ...queries };
  const admission = new QueryAdmission({ ...memoryBudget(), ...options.answers }, settings.idleMs);
  const asked = { store, settings, admission, onQuery };
  const archives = {
    store,
    admission,
    bodyMaxSize: commandSettings.bodyMaxSize,
    uploads: new UploadFolder(store.uploadFolder),
    onFault: (error: unknown) => onFault?.(error, "GET /pdb/admin/v1/archive, in the middle of the answer"),
  };
  const command: EventHandler = async (event) =>
    asResponse(await answerCommand(store, commandSettings, nodeRequest(event)));
  const status = { state: stateOf(store), figures: metrics.figures };
  return [
    ["/pdb/query/**", (event) => answerQuery(asked, event)],
    ["/pdb/query", () => notFound()],
    ["/pdb/cmd", command],
    ["/pdb/cmd/**", command],
    ["/pdb/admin/v1/cmd", (event) => answerAdmin(store, event)],
    ["/pdb/admin/v1/backup", (event) => answerAdmin(store, event)],
    ["/pdb/admin/v1/summary-stats", (event) => answerAdmin(store, event)],
    [archivePath, (event) => answerArchive(archives, event)],
    ["/pdb/ext/v1/state-overview", (event) => answerStateOverview(store, event)],
    ["/pdb/meta/**", (event) => answerMeta(store.clock, event)],
    ["/status/**", (event) => answerStatus(status, event)],
    ...(hasMetrics ? jolokiaRoutes(metrics) : []),
    ["/metrics", (event) => answerPrometheus(metrics, event)],
    ["/openapi.json", describing({ hasMetrics })],
    ["/", () => answerRoot()],
    ["/pdb", (event) => answerPages(metrics, event)],
    ["/pdb/**", (event) => answerPages(metrics, event)],
    ["/**", (event) => answerElsewhere(event)],
  ];
}

function jolokiaRoutes(metrics: MetricsContext): Route[] {
  return ["/metrics/v2", "/metrics/v2/**"].map((path) => [path, (event) => answerMetrics(metrics, event)]);
}

/** Everything that is answered over HTTP, on whatever listener. */
export function application(options: ApplicationOptions): Handler {
  const { store, metrics, access, log, onFault } = options;
  const http = new HttpMetrics(metrics.registry);
  const app = new H3({
    silent: true,
    onRequest: (event) => measure(http, rawTarget(event).path, nodeResponse(event)),
    onError: (error, event) => {
      // The framework's own refusals, such as a path whose percent escapes are none.
      if (error.unhandled !== true && error.status < 500) return textAnswer(error.message, error.status);
      return asResponse(faultAnswer(error.unhandled === true ? error.cause : error, nodeRequest(event), onFault));
    },
  });
  app.use(guard(access, log));
  for (const [path, handler] of routesOf(options)) app.all(path, handler);
  const lane = { store, settings: commandSettingsOf(options), access, log, http, onFault };
  return admittingBodies(commandLane(lane, toNodeHandler(app)), payloadAllowance(), isKept, onFault);
}

/** An archive is written to a file as it comes. */
function isKept(request: IncomingMessage): boolean {
  return targetOf(request).path !== archivePath;
}

function commandSettingsOf({ commands }: ApplicationOptions): CommandSettings {
  return { ...defaultCommandSettings, ...commands };
}

function stateOf(store: Store): ServiceState {
  return {
    version: interfaceVersion,
    // Migrations are done before anything listens.
    isInMaintenance: () => false,
    queueDepth: () => store.queueDepth,
    // Whoever asks all the time need not wait for the engine all the time.
    readsWork: kept(STATUS_KEPT, systemTicks, () => store.reads()),
    writesWork: async () => !store.isStalled && store.problem === undefined,
    problem: () => store.problem,
  };
}
