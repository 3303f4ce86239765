import { hash } from "node:crypto";
import { parameterDigest } from "../hash/parameter-digest.ts";
import { type Json, isExactNumber, stringifyJson } from "../json.ts";
import { sortKey } from "../jsonb/sort-key.ts";
import { jsonbText } from "../jsonb/text.ts";
import type { CatalogEdge, CatalogResource } from "../wire/catalog.ts";
import { eventsOf, type ReportEvent } from "../wire/events.ts";
import { type EmptyContainer, type FactLeaf, partsOfFact } from "../wire/fact-leaves.ts";
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

/** The texts of a top-level fact and of its scalars. Their sort keys are made for those that are written, and only then. */
export class FactTexts {
  readonly name: string;
  readonly text: RowText;
  readonly leaves: readonly FactLeaf[];
  /** Of each leaf. */
  readonly leafTexts: readonly RowText[];
  readonly empty: readonly EmptyContainer[];
  readonly #value: Json;
  #sortKey: string | undefined;

  constructor(name: string, value: Json) {
    const { leaves, empty } = partsOfFact(name, value);
    const text = rowText(jsonbText(value));
    this.name = name;
    this.text = text;
    this.leaves = leaves;
    this.leafTexts = leaves.map(({ depth, value: leaf }) => (depth === 0 ? text : rowText(jsonbText(leaf))));
    this.empty = empty;
    this.#value = value;
  }

  get sortKey(): string {
    this.#sortKey ??= sortKey(this.#value);
    return this.#sortKey;
  }

  /** The dictionary key of a structured fact, which has a path but no leaf of its own. */
  get structured(): string | undefined {
    const value = this.#value;
    const isStructured = typeof value === "object" && value !== null && !isExactNumber(value);
    return isStructured && Object.keys(value).length > 0 ? pathKey("json", JSON.stringify([this.name])) : undefined;
  }
}

export function factRow({ name, text, sortKey: key }: FactTexts): PreparedFact {
  return [name, text, key];
}

/**
 * The rows of facts, each kind by itself.
 * @param hasLeaf whether the scalar with a path, a JSON array, has a row; default: each has
 */
export function factRows(
  facts: readonly FactTexts[],
  hasLeaf: (path: string) => boolean = () => true,
): Pick<PreparedFacts, "facts" | "leaves" | "structured"> {
  const leaves: PreparedLeaf[] = [];
  for (const [at, fact] of facts.entries()) {
    for (const [place, { type, path, depth, value }] of fact.leaves.entries()) {
      if (!hasLeaf(path)) continue;
      const key = pathKey(type, path);
      leaves.push(depth === 0 ? [key, at] : [key, fact.leafTexts[place] ?? "", sortKey(value)]);
    }
  }
  return {
    facts: facts.map(factRow),
    leaves,
    structured: facts.flatMap(({ structured }) => structured ?? []),
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
