import type { Followed } from "#storage/followed-log.ts";
import type { ProcessFigures } from "../metrics/process-figures.ts";
import type { Level, State } from "./levels.ts";
import { processStatus } from "./process-status.ts";
import type { ServiceState } from "./service-state.ts";

export interface StatusSources {
  readonly state: ServiceState;
  readonly figures: ProcessFigures;
}

interface Reported {
  readonly state: State;
  readonly status: unknown;
  readonly alerts?: readonly Alert[];
}

/** What somebody has to look after. */
interface Alert {
  readonly severity: "critical";
  readonly message: string;
}

interface StatusDeclaration {
  readonly version: (sources: StatusSources) => string;
  readonly report: (sources: StatusSources, level: Level) => Promise<Reported>;
}

/** The services that have a status (`reference/metrics.md §7`). */
const services: Readonly<Record<string, StatusDeclaration>> = {
  "puppetdb-status": {
    version: ({ state }) => state.version,
    report: async ({ state }, level) => storeStatus(state, level),
  },
  "status-service": {
    // Of the status interface, as PuppetDB has it.
    version: () => "1.1.1",
    report: async ({ figures }, level) => ({
      state: "running",
      status: level === "debug" ? { experimental: { "jvm-metrics": processStatus(figures) } } : {},
    }),
  },
};

export const serviceNames: readonly string[] = Object.keys(services);

export interface ServiceStatus {
  readonly service_version: string;
  readonly service_status_version: 1;
  readonly detail_level: Level;
  readonly state: State;
  readonly status: unknown;
  readonly active_alerts: readonly Alert[];
}

/**
 * The status of a service.
 * @param seconds time limit; after it, or after an error, the status is `unknown`
 */
export async function statusOf(
  sources: StatusSources,
  name: string,
  level: Level,
  seconds: number,
): Promise<ServiceStatus> {
  const service = services[name];
  if (service === undefined) throw new Error(`there is no service ${name}`);
  const { state, status, alerts = [] } = await inTime(service.report(sources, level), seconds);
  return {
    service_version: service.version(sources),
    service_status_version: 1,
    detail_level: level,
    state,
    status,
    active_alerts: alerts,
  };
}

async function inTime(report: Promise<Reported>, seconds: number): Promise<Reported> {
  const late = Promise.withResolvers<Reported>();
  const answer: Reported = { state: "unknown", status: `Status check timed out after ${seconds} seconds` };
  const timer = setTimeout(() => late.resolve(answer), Math.min(seconds * 1000, 2 ** 31 - 1));
  try {
    return await Promise.race([report, late.promise]);
  } catch {
    return { state: "unknown", status: "Status check threw an exception" };
  } finally {
    clearTimeout(timer);
  }
}

async function storeStatus(state: ServiceState, level: Level): Promise<Reported> {
  const isInMaintenance = state.isInMaintenance();
  const [readsWork, writesWork] = await Promise.all([state.readsWork(), state.writesWork()].map(orNot));
  const [problem, followed, origins] = [state.problem(), state.followed(), state.origins()];
  const free = state.freeBytes();
  const isUp = readsWork === true && writesWork === true;
  return {
    state: isInMaintenance ? "starting" : !isUp ? "error" : state.isCatchingUp() ? "starting" : "running",
    status: {
      "maintenance_mode?": isInMaintenance,
      queue_depth: state.queueDepth(),
      "read_db_up?": readsWork,
      "write_db_up?": writesWork,
      "write_dbs_up?": writesWork,
      write_db: { default: { "up?": writesWork } },
      ...(problem === undefined ? {} : { problem }),
      ...(origins.length === 0 ? {} : { origins }),
      ...(free === undefined ? {} : { disk_free_bytes: free }),
      ...(level === "debug" ? { census: await state.figures(), ...signInPart(state) } : {}),
      ...(followed === undefined ? {} : { command_log: logStatus(followed) }),
    },
    alerts: problem === undefined ? [] : [{ severity: "critical", message: problem }],
  };
}

function signInPart(state: ServiceState): Record<string, unknown> {
  const signIn = state.signIn();
  return signIn === undefined ? {} : { "sign-in": signIn };
}

/**
 * - `behind`: entries of the log that are not stored here yet, as far as is known
 * - `behind_seconds`: since the oldest of those was accepted that were read
 * - `silent_seconds`: since the log answered the last time; null: it has not since the start
 * - `compared`: the position at which this server was compared with others, and those that had the same there or not
 */
function logStatus(followed: Followed): Record<string, unknown> {
  const { log, position, head, problem, behindSeconds, silentSeconds, comparison } = followed;
  return {
    log,
    position,
    behind: head - position,
    behind_seconds: toMillis(behindSeconds),
    silent_seconds: silentSeconds === undefined ? null : toMillis(silentSeconds),
    ...(comparison === undefined ? {} : { compared: comparison }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function toMillis(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

async function orNot(check: Promise<boolean>): Promise<boolean> {
  return check.catch(() => false);
}
