import { messageOf } from "#storage/errors.ts";
import type { ShownOrigin } from "#app/status/origin-status.ts";
import type { Contact } from "../sources/contact.ts";
import { fetchPath, Unreachable } from "../sources/http.ts";

/** The status of a server; null for what it does not report. */
export interface ServiceFigures {
  /** As the status service has it: `running`, `starting`, `error` …; `unreachable` where nothing answers. */
  readonly state: string;
  /** Why nothing can be stored, or the state is not known. */
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
  /** Bytes that its data directory has room for. */
  readonly disk_free_bytes: number | null;
}

const STATUS = "/status/v1/services/puppetdb-status";

/** A server that is followed, as the status has it. */
export type FollowedOrigin = Pick<
  ShownOrigin,
  "name" | "url" | "state" | "behind_seconds" | "nodes" | "missing_reports" | "shared" | "progress" | "problem"
>;

/**
 * Gets the state and the figures of a server; any client may, and a PuppetDB has the state alone.
 * @param seconds that the answer may take
 */
export async function serviceFigures(contact: Contact, seconds: number): Promise<ServiceFigures> {
  const {
    state,
    problem,
    version,
    queueDepth,
    freeBytes,
    figures = {},
    origins = [],
  } = await serviceState(contact, seconds, "debug");
  const number = (name: string): number | null => (typeof figures[name] === "number" ? figures[name] : null);
  const text = (name: string): string | null => (typeof figures[name] === "string" ? figures[name] : null);
  return {
    state,
    problem: problem ?? null,
    version: text("version"),
    interface_version: version ?? null,
    running_since: text("running_since"),
    active_nodes: number("active_nodes"),
    inactive_nodes: number("inactive_nodes"),
    history_changes: number("history_changes"),
    history_bytes: number("history_bytes"),
    origins,
    queue_depth: queueDepth ?? null,
    awaiting_retry: number("awaiting_retry"),
    dead_letters: number("dead_letters"),
    disk_free_bytes: freeBytes ?? null,
  };
}

/** What the status of a server, Census or PuppetDB, says. */
export interface ServiceState {
  readonly state: string;
  readonly version?: string;
  readonly queueDepth?: number;
  readonly origins?: readonly FollowedOrigin[];
  readonly problem?: string;
  readonly freeBytes?: number;
  /** What Census adds at level `debug`. */
  readonly figures?: Readonly<Record<string, unknown>>;
}

/** Gets the state of a server. @param seconds that an answer may take */
export async function serviceState(contact: Contact, seconds: number, level = "info"): Promise<ServiceState> {
  try {
    const { status, body } = await fetchPath(contact, `${STATUS}?level=${level}`, seconds);
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
    const details = isObject(status) ? status : {};
    const { queue_depth: depth, problem, disk_free_bytes: free, census: figures, origins } = details;
    return {
      state,
      ...(typeof version === "string" ? { version } : {}),
      ...(Array.isArray(origins) ? { origins: origins as readonly FollowedOrigin[] } : {}),
      ...(typeof depth === "number" ? { queueDepth: depth } : {}),
      ...(typeof problem === "string" ? { problem } : {}),
      ...(typeof free === "number" ? { freeBytes: free } : {}),
      ...(isObject(figures) ? { figures } : {}),
    };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
