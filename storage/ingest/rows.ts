import { hash } from "node:crypto";
import { parameterDigest } from "../hash/parameter-digest.ts";
import { type Json, isExactNumber, stringifyJson } from "../json.ts";
import { sortKey } from "../jsonb/sort-key.ts";
import { jsonbText } from "../jsonb/text.ts";
import type { CatalogEdge, CatalogResource } from "../wire/catalog.ts";
import { eventsOf, type ReportEvent } from "../wire/events.ts";
import { type EmptyContainer, partsOfFact } from "../wire/fact-leaves.ts";
import type { Report } from "../wire/report.ts";
import { pathKey } from "./fact-paths.ts";
import { isLong, optionalText, type RowText, rowText } from "./row-text.ts";
import type {
  PreparedEdge,
  PreparedEvent,
  PreparedFact,
  PreparedFacts,
  PreparedLeaf,
  PreparedReport,
  PreparedResource,
} from "./prepared.ts";

/** The rows of a top-level fact. */
export interface FactRows {
  readonly fact: PreparedFact;
  /** A leaf that is the whole fact has no texts of its own. */
  readonly leaves: readonly (readonly [path: string, value: RowText, sortKey: string] | readonly [path: string])[];
  /** The dictionary key of a structured fact, which has a path but no leaf of its own. */
  readonly structured: string | undefined;
  readonly empty: readonly EmptyContainer[];
}

export function factRows(name: string, value: Json): FactRows {
  const isStructured = typeof value === "object" && value !== null && !isExactNumber(value);
  const { leaves, empty } = partsOfFact(name, value);
  return {
    fact: [name, rowText(jsonbText(value)), sortKey(value)],
    leaves: leaves.map(({ type, path, depth, value: leaf }) => {
      const key = pathKey(type, path);
      return depth === 0 ? [key] : [key, rowText(jsonbText(leaf)), sortKey(leaf)];
    }),
    structured: isStructured && Object.keys(value).length > 0 ? pathKey("json", JSON.stringify([name])) : undefined,
    empty,
  };
}

/** The rows of several facts, each kind by itself. */
export function listsOf(rows: readonly FactRows[]): Pick<PreparedFacts, "facts" | "leaves" | "structured" | "empty"> {
  return {
    facts: rows.map(({ fact }) => fact),
    leaves: rows.flatMap(({ leaves }, fact) =>
      leaves.map((leaf): PreparedLeaf => (leaf.length === 1 ? [leaf[0], fact] : leaf)),
    ),
    structured: rows.flatMap(({ structured }) => structured ?? []),
    empty: rows.flatMap(({ empty }) => empty),
  };
}

export function resourceRow(resource: CatalogResource): PreparedResource {
  const { hash: resourceHash, type, title, tags, exported, file, line, parameters, parameterTexts } = resource;
  const digest = digestOf([resourceHash, String(exported), file ?? "\0", String(line), ...tags]);
  const values: (RowText | bigint)[] = [];
  for (const [name, text] of parameterTexts) values.push(name, rowText(text), parameterDigest(name, text));
  return [digest, resourceHash, type, title, tags, exported, file, line, rowText(jsonbText(parameters)), values];
}

export function edgeRow({ source, target, relationship }: CatalogEdge): PreparedEdge {
  const cells = [source.type, source.title, target.type, target.title, relationship] as const;
  return [digestOf(cells), ...cells];
}

/** 96 bits of SHA-1 over texts that cannot be confused with each other. */
function digestOf(texts: readonly string[]): string {
  return hash("sha1", texts.join("\u0001"), "base64url").slice(0, 16);
}

/** The rows and documents of a report. */
export function reportRows(report: Report): Pick<PreparedReport, "meta" | "events" | "metrics" | "logs" | "resources"> {
  const { resources: _, resources_as_sent, metrics, logs, ...meta } = report;
  return {
    meta,
    events: eventsOf(report).map(eventRow),
    metrics: documentText(metrics),
    logs: documentText(logs),
    resources: documentText(resources_as_sent),
  };
}

function eventRow(event: ReportEvent): PreparedEvent {
  const { old_value, new_value, message } = event;
  if (!isLong(old_value) && !isLong(new_value) && !isLong(message)) return event;
  return {
    ...event,
    old_value: optionalText(old_value),
    new_value: optionalText(new_value),
    message: optionalText(message),
  };
}

function documentText(document: Json): RowText | null {
  return document === null ? null : rowText(stringifyJson(document));
}
