import { messageOf } from "#storage/errors.ts";
import { formatTimestamp, timestampOfMillis } from "#storage/time.ts";
import type { ShownOrigin } from "#app/status/origin-status.ts";
import type { Contact } from "../sources/contact.ts";
import { type Fetched, fetchPath, Unreachable } from "../sources/http.ts";

/** The status of a server; null for what it does not report. */
export interface ServiceFigures {
  /** As the status service has it: `running`, `starting`, `error` …; `unreachable` where nothing answers. */
  readonly state: string;
  /** Why the state is not known. */
  readonly problem: string | null;
  readonly version: string | null;
  /** The version of PuppetDB whose interface is spoken. */
  readonly interface_version: string | null;
  readonly running_since: string | null;
  readonly active_nodes: number | null;
  readonly inactive_nodes: number | null;
  /** Recorded changes of nodes, and the bytes of their blocks in the database's file. */
  readonly history_changes: number | null;
  readonly history_bytes: number | null;
  /** How other servers are followed, of which this is a copy. */
  readonly origins: readonly FollowedOrigin[];
  /** Commands that are not finished, and how many of them wait for another try. */
  readonly queue_depth: number | null;
  readonly awaiting_retry: number | null;
  readonly dead_letters: number | null;
}

const STATUS = "/status/v1/services/puppetdb-status";
const FIGURES = "/metrics?collect[]=service";

/** A server that is followed, as the status has it. */
export type FollowedOrigin = Pick<
  ShownOrigin,
  "name" | "url" | "state" | "behind_seconds" | "nodes" | "missing_reports" | "shared" | "progress" | "problem"
>;

type Fetch = (path: string) => Promise<Fetched>;

/**
 * Gets the state of a server, and its metrics if this client may read them.
 * @param seconds that an answer may take
 */
export async function serviceFigures(contact: Contact, seconds: number): Promise<ServiceFigures> {
  const fetch: Fetch = async (path) => fetchPath(contact, path, seconds);
  const [state, figure] = await Promise.all([serviceState(contact, seconds), fetchFigures(fetch)]);
  const started = figure("process_start_time_seconds");
  return {
    state: state.state,
    problem: state.problem ?? null,
    version: figure.version,
    interface_version: state.version ?? null,
    running_since: started === null ? null : formatTimestamp(timestampOfMillis(started * 1000)),
    active_nodes: figure("puppetdb_population_num_active_nodes"),
    inactive_nodes: figure("puppetdb_population_num_inactive_nodes"),
    history_changes: figure("puppetdb_history_changes"),
    history_bytes: figure("puppetdb_history_bytes"),
    origins: state.origins ?? [],
    queue_depth: state.queueDepth ?? null,
    awaiting_retry: figure("puppetdb_mq_global_awaiting_retry"),
    dead_letters: figure("puppetdb_dlo_global_messages"),
  };
}

/** What the status of a server, Census or PuppetDB, says. */
export interface ServiceState {
  readonly state: string;
  readonly version?: string;
  readonly queueDepth?: number;
  readonly origins?: readonly FollowedOrigin[];
  readonly problem?: string;
}

/** Gets the state of a server. @param seconds that an answer may take */
export async function serviceState(contact: Contact, seconds: number): Promise<ServiceState> {
  try {
    const { status, body } = await fetchPath(contact, STATUS, seconds);
    // A server that is not running returns 503 with its state.
    const state = status === 200 || status === 503 ? readState(body) : undefined;
    return state ?? { state: "unknown", problem: `unexpected response to ${STATUS}: HTTP ${status}` };
  } catch (error) {
    return { state: "unreachable", problem: error instanceof Unreachable ? error.reason : messageOf(error) };
  }
}

function readState(body: string): ServiceState | undefined {
  try {
    const { state, service_version: version, status } = JSON.parse(body) as Record<string, unknown>;
    if (typeof state !== "string") return undefined;
    const { queue_depth: depth, origins } = (status ?? {}) as { queue_depth?: unknown; origins?: unknown };
    return {
      state,
      ...(typeof version === "string" ? { version } : {}),
      ...(Array.isArray(origins) ? { origins: origins as readonly FollowedOrigin[] } : {}),
      ...(typeof depth === "number" ? { queueDepth: depth } : {}),
    };
  } catch {
    return undefined;
  }
}

type Figures = ((name: string) => number | null) & { readonly version: string | null };

/** The figures for Prometheus, by name; empty if reading them is not allowed. */
async function fetchFigures(fetch: Fetch): Promise<Figures> {
  const page = await fetch(FIGURES).then(
    ({ status, body }) => (status === 200 ? body : ""),
    () => "",
  );
  const numbers = new Map(
    [...page.matchAll(/^(\w+) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)] as const),
  );
  const version = /^census_build_info\{version="([^"]*)"\}/m.exec(page)?.[1] ?? null;
  return Object.assign((name: string) => numbers.get(name) ?? null, { version });
}
