import { parseRef, parseSource, refText, type ResourceRef } from "../value/text.ts";
import type { CatalogEdge, LogLine, ReportEvent } from "./rows.ts";
import { SkipChains, type SkippedResource } from "./skip-chains.ts";

/** Why a run failed, or hides a failure. */
export interface Cause {
  /** `resource`: one failed; `catalog`: none could be had; `run`: anything else. */
  readonly kind: "resource" | "catalog" | "run";
  /** Of kind `resource`. */
  readonly resource?: ResourceRef;
  /** Names of the properties that failed. */
  readonly properties: readonly string[];
  /** Different messages in their order. */
  readonly messages: readonly string[];
  readonly place: { readonly file: string; readonly line: number | null } | undefined;
  readonly class: string | undefined;
  /** Resources that were skipped because of it; found when they are wanted. */
  readonly skipped: () => readonly SkippedResource[];
}

export interface Causes {
  readonly list: readonly Cause[];
  /** Resources that were skipped, all of them. */
  readonly skipped: readonly ResourceRef[];
  /** Skipped resources that belong to none of the causes. */
  readonly unexplained: readonly ResourceRef[];
  /** What says which failure led to which skipped resource. */
  readonly basis: "catalog" | "log" | "nothing";
}

export interface CauseInput {
  /** Events that failed or were skipped; others do not count. */
  readonly events: readonly ReportEvent[];
  readonly logs: readonly LogLine[];
  /** Of the catalog that the run applied; undefined when that one is not stored. */
  readonly edges: readonly CatalogEdge[] | undefined;
}

const errorLevels: readonly string[] = ["err", "alert", "emerg", "crit"];
const CATALOG_MESSAGE = /catalog; skipping run|retrieve catalog|compile|on failed catalog|Evaluation Error|on SERVER/i;
const DEPENDENCY = /^Dependency ([\s\S]+\]) has (?:\d+ )?failures\b/;

/** Whether a log line says that something failed. */
export function isError({ level }: LogLine): boolean {
  return errorLevels.includes(level);
}

/** The failures of a run, each with the resources that were skipped because of it. */
export function findCauses({ events, logs, edges }: CauseInput): Causes {
  const drafts = failures(events, logs);
  const skipped = skippedResources(events);
  const failed = drafts.flatMap(({ resource }) => resource ?? []);
  const chains = edges === undefined ? undefined : new SkipChains(skipped, edges);
  const fromLog = skippedByLog(logs, skipped, failed);
  const basis = edges !== undefined ? "catalog" : fromLog.size > 0 ? "log" : "nothing";
  const list = drafts.map((draft): Cause => {
    const { resource } = draft;
    if (resource === undefined) return { ...draft, skipped: () => [] };
    const skippedOf = (): readonly SkippedResource[] =>
      joined(chains?.from([resource]) ?? [], fromLog.get(refText(resource)) ?? []);
    return { ...draft, skipped: skippedOf };
  });
  const bySomething = [...(chains?.from(failed) ?? []), ...[...fromLog.values()].flat()];
  const explained = new Set(bySomething.map(({ resource }) => refText(resource)));
  return { list, skipped, basis, unexplained: skipped.filter((resource) => !explained.has(refText(resource))) };
}

type Draft = Omit<Cause, "skipped">;

function failures(events: readonly ReportEvent[], logs: readonly LogLine[]): Draft[] {
  const drafts = new Map<string, Draft>();
  const add = (key: string, draft: Draft): void => {
    const known = drafts.get(key);
    drafts.set(key, known === undefined ? draft : merged(known, draft));
  };
  for (const event of events) {
    if (event.status !== "failure") continue;
    const resource = { type: event.resource_type, title: event.resource_title };
    add(refText(resource), {
      kind: "resource",
      resource,
      properties: event.property === null ? [] : [event.property],
      messages: event.message === null ? [] : [event.message],
      place: event.file === null ? undefined : { file: event.file, line: event.line },
      class: event.containing_class ?? undefined,
    });
  }
  for (const line of logs) {
    if (isError(line)) add(...draftOfLine(line));
  }
  return [...drafts.values()].sort((one, other) => rank(one) - rank(other));
}

function draftOfLine(line: LogLine): [key: string, draft: Draft] {
  const { message, file } = line;
  const place = file === null ? undefined : { file, line: line.line };
  const source = line.source === null ? undefined : parseSource(line.source);
  const rest = { messages: [message], place, class: undefined };
  if (source !== undefined) {
    const { resource, property } = source;
    return [
      refText(resource),
      { kind: "resource", resource, properties: property === undefined ? [] : [property], ...rest },
    ];
  }
  // The agent says in several lines that it got no catalog.
  if (CATALOG_MESSAGE.test(message)) return ["catalog", { kind: "catalog", properties: [], ...rest }];
  return [`run ${message}`, { kind: "run", properties: [], ...rest }];
}

function merged(one: Draft, other: Draft): Draft {
  return {
    ...one,
    properties: [...new Set([...one.properties, ...other.properties])],
    messages: [...new Set([...one.messages, ...other.messages])],
    place: one.place ?? other.place,
    class: one.class ?? other.class,
  };
}

/** A run may have many other errors, which say less than what failed. */
function rank({ kind }: Draft): number {
  return ["catalog", "resource", "run"].indexOf(kind);
}

function skippedResources(events: readonly ReportEvent[]): ResourceRef[] {
  const found = new Map<string, ResourceRef>();
  for (const { status, resource_type: type, resource_title: title } of events) {
    if (status === "skipped") found.set(refText({ type, title }), { type, title });
  }
  return [...found.values()];
}

/** What lines such as "Dependency Package[nginx] has failures: true" say. */
function skippedByLog(
  logs: readonly LogLine[],
  skipped: readonly ResourceRef[],
  failed: readonly ResourceRef[],
): Map<string, SkippedResource[]> {
  const known = new Map(skipped.map((resource) => [refText(resource), resource]));
  const failures = new Map(failed.map((resource) => [refText(resource), resource]));
  const found = new Map<string, SkippedResource[]>();
  for (const { message, source } of logs) {
    const [, ref = ""] = DEPENDENCY.exec(message) ?? [];
    const failure = failures.get(ref);
    if (failure === undefined) continue;
    const resource = known.get(refOfSource(source));
    if (resource === undefined) continue;
    const skips = found.get(ref);
    if (skips === undefined) found.set(ref, [{ resource, after: failure }]);
    else skips.push({ resource, after: failure });
  }
  return found;
}

function refOfSource(source: string | null): string {
  const resource = source === null ? undefined : (parseSource(source)?.resource ?? parseRef(source));
  return resource === undefined ? "" : refText(resource);
}

function joined(one: readonly SkippedResource[], other: readonly SkippedResource[]): readonly SkippedResource[] {
  const known = new Set(one.map(({ resource }) => refText(resource)));
  return [...one, ...other.filter(({ resource }) => !known.has(refText(resource)))];
}
