import { hash } from "node:crypto";
import { type Folding, rulesVersion } from "./fold.ts";
import type { IssueIdentity, IssueKind, Place } from "./issue.ts";

/** An event with the status `failure`. */
export interface FailedEvent {
  readonly type: string;
  readonly title: string;
  readonly message: string | null;
  readonly place: Place | null;
  readonly class: string | null;
  /** Properties of the report that all of these events share. */
  readonly count: number;
}

/** A line of a report's log whose level is one of {@link failureLevels}. */
export interface FailedLine {
  readonly message: string;
  /** `/Stage[main]/Ntp/Package[ntp]/ensure`, or `Puppet`. */
  readonly source: string;
  readonly place: Place | null;
}

/** A report with failures. */
export interface FailedReport {
  readonly certname: string;
  /** Its own status is `failed`. */
  readonly hasFailed: boolean;
  /** It used a cached catalog because there was no new one. */
  readonly isCached: boolean;
  readonly events: readonly FailedEvent[];
  readonly lines: readonly FailedLine[];
}

/** A failure of one report. */
export interface Failure {
  readonly kind: IssueKind;
  readonly type: string | null;
  readonly title: string | null;
  /** As it was sent. */
  readonly message: string;
  readonly place: Place | null;
  readonly class: string | null;
  readonly count: number;
}

/** Levels of log lines that report a failure. */
export const failureLevels = ["err", "alert", "emerg", "crit"] as const;

/** Messages of runs for which no catalog could be compiled or fetched. */
const aboutCatalogs =
  /^Could not retrieve catalog|^Failed to apply catalog|Evaluation Error|Error while evaluating|Could not parse for environment|Syntax error at|Server Error|Error \d{3} on SERVER/;

/** Lines that a run logs because of another line, which contains the reason. */
const consequences =
  /^Could not retrieve catalog; skipping run$|^Could not run: Could not retrieve catalog|^Could not send report/;

/**
 * The failures of a report: its failed events, and up to five lines of its log about something else. A failed report without any
 * cause has one failure that says so.
 */
export function failuresOf(report: FailedReport): Failure[] {
  const { events } = report;
  const resources = events.map(({ type, title }) => `${type}[${title}]`);
  const ofResources = events.map(({ message, ...event }): Failure => {
    return { kind: "resource", ...event, message: message ?? "(without a message)" };
  });
  const isOfEvent = ({ source }: FailedLine): boolean => resources.some((resource) => source.includes(resource));
  // An agent also logs the error of a resource by itself, without the resource.
  const said = [...events, ...report.lines.filter(({ source }) => resourceInSource.test(source))];
  const isRepeated = ({ source, message }: FailedLine): boolean =>
    !resourceInSource.test(source) && said.some((other) => other.message?.includes(beginningOf(message)) === true);
  const others = report.lines.filter((line) => !isOfEvent(line) && !isRepeated(line));
  const causes = others.filter(({ message }) => !consequences.test(message));
  // They count if nothing else contains the reason.
  const lines = causes.length > 0 || events.length > 0 ? causes : others;
  const ofLines = lines.slice(0, 5).map((line) => lineFailure(report, line));
  const found = [...ofResources, ...ofLines];
  if (found.length > 0 || !(report.hasFailed || report.isCached)) return found;
  return [lineFailure(report, { message: unexplained(report), source: "", place: null })];
}

/** An error without the one that it wraps, which only this line of the log has. */
function beginningOf(message: string): string {
  const [own = ""] = message.split("\nWrapped exception:");
  // The message of an event that repeats it has been cut after another number of characters.
  return own.trim().slice(0, 300);
}

/** The last resource in the path of a line's source. */
const resourceInSource = /(?:^|\/)(?<type>[A-Z]\w*(?:::[A-Z]\w*)*)\[(?<title>(?:(?!\/[A-Z][\w:]*\[)[^])+)\](?:\/\w+)?$/;

function lineFailure({ hasFailed, isCached }: FailedReport, { message, source, place }: FailedLine): Failure {
  const { type = null, title = null } = resourceInSource.exec(source)?.groups ?? {};
  const failed = type === null ? (aboutCatalogs.test(message) ? "catalog" : "run") : "resource";
  const kind = hasFailed || isCached ? failed : "warning";
  return { kind, type, title, message, place, class: null, count: 1 };
}

function unexplained({ hasFailed }: FailedReport): string {
  return hasFailed
    ? "The run failed, and its report has no error"
    : "A cached catalog was used, and the report has no error";
}

/** An issue's identity as it is stored. */
export interface StoredIdentity {
  readonly id: bigint;
  /** {@link Issue.common} */
  readonly common: bigint;
  readonly kind: IssueKind;
  readonly type: string | null;
  readonly title: string | null;
  readonly message: string;
}

/** @param folding of the node that failed */
export function identityOf({ kind, type, title, message }: Failure, folding: Folding): StoredIdentity {
  const folded = folding.fold(message, title);
  return {
    id: digestOf(kind, type ?? "", folded.title ?? "", folded.message),
    common: digestOf(kind, folded.common),
    kind,
    type,
    title: folded.title,
    message: folded.message,
  };
}

/** 48 bits: in a store with 100,000 issues two of them have the same with a probability of 1 in 50,000. */
function digestOf(...texts: readonly string[]): bigint {
  return BigInt(`0x${hash("sha1", texts.join("\u0000")).slice(0, 12)}`);
}

/** An issue's id as people see it. */
export function publicId(id: bigint): IssueIdentity["id"] {
  return `${rulesVersion}-${id.toString(16).padStart(12, "0")}`;
}

/** The stored id; undefined for a text that is none, or was made by other rules. */
export function storedId(id: string): bigint | undefined {
  const digits = new RegExp(`^${rulesVersion}-([\\da-f]{12})$`).exec(id)?.[1];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}
