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
  const { state, problem, version, details } = await serviceState(contact, seconds, "debug");
  const { origins, census } = details;
  const added = isObject(census) ? census : {};
  return {
    state,
    problem,
    version: text(added["version"]),
    interface_version: version,
    running_since: text(added["running_since"]),
    active_nodes: number(added["active_nodes"]),
    inactive_nodes: number(added["inactive_nodes"]),
    history_changes: number(added["history_changes"]),
    history_bytes: number(added["history_bytes"]),
    origins: Array.isArray(origins) ? (origins as readonly FollowedOrigin[]) : [],
    queue_depth: number(details["queue_depth"]),
    awaiting_retry: number(added["awaiting_retry"]),
    dead_letters: number(added["dead_letters"]),
    disk_free_bytes: number(details["disk_free_bytes"]),
  };
}

/** What the status of a server, Census or PuppetDB, says. */
export interface ServiceState extends Pick<ServiceFigures, "state" | "problem"> {
  /** Of the interface. */
  readonly version: string | null;
  /** At level `debug` with what Census adds. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Gets the state of a server. @param seconds that an answer may take */
export async function serviceState(contact: Contact, seconds: number, level = "info"): Promise<ServiceState> {
  const unknown = { version: null, details: {} };
  try {
    const { status, body } = await fetchPath(contact, `${STATUS}?level=${level}`, seconds);
    // A server that is not running returns 503 with its state.
    const state = status === 200 || status === 503 ? readState(body) : undefined;
    return state ?? { ...unknown, state: "unknown", problem: `unexpected response to ${STATUS}: HTTP ${status}` };
  } catch (error) {
    const problem = error instanceof Unreachable ? error.reason : messageOf(error);
    return { ...unknown, state: "unreachable", problem };
  }
}

function readState(body: string): ServiceState | undefined {
  try {
    const { state, service_version: version, status } = JSON.parse(body) as Record<string, unknown>;
    if (typeof state !== "string") return undefined;
    const details = isObject(status) ? status : {};
    return { state, version: text(version), problem: text(details["problem"]), details };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function number(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
