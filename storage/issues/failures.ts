import { hash } from "node:crypto";
import { fold, rulesVersion } from "./fold.ts";
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

/** A report that failed, or whose run used a cached catalog because there was no new one. */
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

/** Maximum lines of a report that become failures. */
const MOST_LINES = 5;

/** Messages of runs for which no catalog could be compiled or fetched. */
const aboutCatalogs =
  /^Could not retrieve catalog|^Failed to apply catalog|Evaluation Error|Error while evaluating|Could not parse for environment|Syntax error at|Server Error|Error \d{3} on SERVER/;

/** Lines that a run logs because of another line, which contains the reason. */
const consequences =
  /^Could not retrieve catalog; skipping run$|^Could not run: Could not retrieve catalog|^Could not send report/;

/**
 * The failures of a report: its failed events, and up to five lines of its log about something else. A report
 * without any cause has one failure that says so.
 */
export function failuresOf(report: FailedReport): Failure[] {
  const { events } = report;
  const resources = events.map(({ type, title }) => `${type}[${title}]`);
  const ofResources = events.map(({ message, ...event }): Failure => {
    return { kind: "resource", ...event, message: message ?? "(without a message)" };
  });
  if (!report.hasFailed && !report.isCached) return ofResources;
  const others = report.lines.filter(({ source }) => !resources.some((resource) => source.includes(resource)));
  const causes = others.filter(({ message }) => !consequences.test(message));
  // They count if nothing else contains the reason.
  const lines = causes.length > 0 || events.length > 0 ? causes : others;
  const ofLines = lines.slice(0, MOST_LINES).map(({ message, place }) => lineFailure(report, message, place));
  const found = [...ofResources, ...ofLines];
  return found.length > 0 ? found : [lineFailure(report, unexplained(report), null)];
}

function lineFailure({ hasFailed }: FailedReport, message: string, place: Place | null): Failure {
  const kind = !hasFailed ? "hidden" : aboutCatalogs.test(message) ? "catalog" : "run";
  return { kind, type: null, title: null, message, place, class: null, count: 1 };
}

function unexplained({ hasFailed }: FailedReport): string {
  return hasFailed
    ? "The run failed, and its report has no error"
    : "A cached catalog was used, and the report has no error";
}

/** Maximum cached identities of failures. */
const MOST_REMEMBERED = 2000;

/** Computes the identities of failures, and caches those that do not depend on the node. */
export class Identities {
  readonly #known = new Map<string, IssueIdentity>();

  /** @param certname of the node that failed */
  of(failure: Failure, certname: string): IssueIdentity {
    const { kind, type, title, message } = failure;
    if (certname !== "" && (message.includes(certname) || title?.includes(certname) === true)) {
      return identityOf(failure, certname);
    }
    const key = [kind, type ?? "", title ?? "", message].join("\u0000");
    let identity = this.#known.get(key);
    if (identity === undefined) {
      identity = identityOf(failure, certname);
      if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
      this.#known.set(key, identity);
    }
    return identity;
  }
}

/** @param certname of the node that failed */
export function identityOf({ kind, type, title, message }: Failure, certname: string): IssueIdentity {
  const folded = {
    kind,
    type,
    title: title === null ? null : fold(title, certname),
    message: fold(message, certname),
  };
  const text = [folded.kind, folded.type ?? "", folded.title ?? "", folded.message].join("\u0000");
  return { id: `${rulesVersion}-${hash("sha1", text).slice(0, 12)}`, ...folded };
}
