import { edgeRow, resourceRow } from "../../ingest/rows.ts";
import type { PreparedEdge, PreparedResource } from "../../ingest/prepared.ts";
import type { Package } from "../../hash/hashes.ts";
import { isObject, type Json, type JsonObject, stringifyJson } from "../../json.ts";
import { jsonbText } from "../../jsonb/text.ts";
import { storable } from "../../time/read.ts";
import type { Timestamp } from "../../time.ts";
import { readEdge, readResource } from "../../wire/catalog.ts";
import { MAX_DOCUMENT_DEPTH } from "../../wire/clean.ts";
import { commands } from "../../wire/commands.ts";
import { boolean, cleanDocument, integer, oneOf, text, uuid, wireTime } from "../../wire/kinds.ts";
import { Problems } from "../../wire/problems.ts";
import { type Kind, list, nullable, optional, record } from "../../wire/shape.ts";
import type { Difference } from "../differences.ts";
import type { DocumentTime } from "../document-times.ts";
import { nodeValueNames, type NodeValues } from "../node-recorder.ts";
import { packageKey, versionsOf } from "../packages.ts";
import { digestOfValue } from "../stored-facts.ts";

/** A change of a node in an archive. */
export interface ArchivedChange extends Difference {
  readonly changed: Timestamp;
  readonly transaction: string | null;
}

/** What happened to a resource or an edge of a node. */
interface ArchivedItem<T> {
  readonly before: T | undefined;
  readonly after: T | undefined;
  readonly changed: Timestamp;
  readonly transaction: string | null;
}

/** The history of a node as an archive has it. */
export interface NodeHistory {
  readonly certname: string;
  readonly state: NodeState;
  readonly documents: readonly Omit<DocumentTime, "node">[];
  readonly facts: readonly ArchivedChange[];
  readonly packages: readonly ArchivedChange[];
  /** Values of a node, by the names of {@link NodeValues}. */
  readonly values: readonly ArchivedChange[];
  readonly resources: readonly ArchivedItem<PreparedResource>[];
  readonly edges: readonly ArchivedItem<PreparedEdge>[];
}

const states = ["active", "deactivated", "expired"] as const;
export type NodeState = (typeof states)[number];

/** Called with the place of what is invalid in a document, and why. */
export type OnInvalid = (reason: string) => void;

const index = integer(32);

/** A path of a fact: keys and indexes, the fact's name first. */
const factPath: Kind<readonly (string | number)[]> = {
  read(value, problems) {
    if (!Array.isArray(value) || typeof value[0] !== "string" || value.length > MAX_DOCUMENT_DEPTH) {
      return problems.mismatch("a path: a list of keys and indexes that begins with the name of a fact", value);
    }
    return value.map((part) => {
      if (typeof part === "string") return text.read(part, problems) ?? "";
      const at = index.read(part, problems) ?? 0;
      if (at < 0) problems.add("an index is negative");
      return at;
    });
  },
};

/** A scalar, an empty list or object, or the digest of a long value. */
const factValue: Kind<string> = {
  read(value, problems) {
    if (isObject(value) && typeof value["bytes"] === "number" && typeof value["sha1"] === "string") {
      return digestOfValue(value["bytes"], value["sha1"]);
    }
    const isFull = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
    if (isFull) return problems.mismatch("a scalar, or an empty list or object", value);
    return jsonbText(cleanDocument.read(value, problems) ?? null);
  },
};

const time = { from: wireTime };
const ofRun = { ...time, transaction: optional(nullable(uuid)) };
const packageOf = { name: text, provider: text };

const factChange = record<{ path: readonly (string | number)[]; from: Timestamp }>(
  { path: factPath, ...time },
  "dropped",
);
const packageChange = record<{ name: string; provider: string; before: string[]; after: string[]; from: Timestamp }>(
  { ...packageOf, before: list(text), after: list(text), ...time },
  "dropped",
);
const valueChange = record<{
  what: keyof NodeValues;
  before: string | null;
  after: string | null;
  from: Timestamp;
  transaction: string | null;
}>({ what: oneOf(nodeValueNames), before: nullable(text), after: nullable(text), ...ofRun }, "dropped");
const itemChange = record<{ from: Timestamp; transaction: string | null }>(ofRun, "dropped");
const edgeChange = record<{ came: boolean; from: Timestamp; transaction: string | null }>(
  { came: boolean, ...ofRun },
  "dropped",
);

/**
 * Reads the history of a node. What is invalid in it is left out.
 * @returns undefined where it does not say which node it is of
 */
export function readNodeHistory(document: Json, onInvalid: OnInvalid): NodeHistory | undefined {
  const head = readPart(document, [], record<{ certname: string }>({ certname: text }, "dropped"), onInvalid);
  if (head === undefined || !isObject(document)) return undefined;
  const lists = <T>(name: string, read: (entry: Json, problems: Problems) => T | undefined): T[] =>
    readList(document[name], name, read, onInvalid);
  return {
    certname: head.certname,
    state: readPart(document["state"] ?? "active", ["state"], oneOf(states), onInvalid) ?? "active",
    documents: (["facts", "catalog"] as const).flatMap((kind) => {
      const all = isObject(document["documents"] ?? null) ? (document["documents"] as JsonObject) : {};
      const produced = readPart(all[kind] ?? [], ["documents", kind], documentTimes, onInvalid) ?? [];
      return produced.map((at) => ({ isCatalog: kind === "catalog", produced: at }));
    }),
    facts: lists("facts", readFactChange),
    packages: lists("packages", readPackageChange),
    values: lists("values", (entry, problems) => {
      const read = valueChange.read(entry, problems);
      return (
        read && {
          name: read.what,
          before: read.before ?? undefined,
          after: read.after ?? undefined,
          changed: read.from,
          transaction: read.transaction,
        }
      );
    }),
    resources: lists("resources", readResourceChange),
    edges: lists("edges", (entry, problems) => {
      const read = edgeChange.read(entry, problems);
      const edge = read && below(problems, "edge", () => readEdge(memberOf(entry, "edge"), problems))?.edge;
      if (read === undefined || edge === undefined) return undefined;
      const row = edgeRow(edge);
      const [before, after] = read.came ? [undefined, row] : [row, undefined];
      return { before, after, changed: read.from, transaction: read.transaction };
    }),
  };
}

function readFactChange(entry: Json, problems: Problems): ArchivedChange | undefined {
  const read = factChange.read(entry, problems);
  if (read === undefined || problems.hasAny) return undefined;
  const value = (side: string): string | undefined =>
    hasMember(entry, side) ? below(problems, side, () => factValue.read(memberOf(entry, side), problems)) : undefined;
  const [before, after] = [value("before"), value("after")];
  return { name: stringifyJson([...read.path]), before, after, changed: read.from, transaction: null };
}

function readPackageChange(entry: Json, problems: Problems): ArchivedChange | undefined {
  const read = packageChange.read(entry, problems);
  if (read === undefined || problems.hasAny) return undefined;
  const { name, provider, from } = read;
  const key = packageKey(name, provider);
  const state = (versions: readonly string[]): string | undefined =>
    versionsOf(versions.map((version): Package => [name, version, provider])).get(key);
  return { name: key, before: state(read.before), after: state(read.after), changed: from, transaction: null };
}

function readResourceChange(entry: Json, problems: Problems): ArchivedItem<PreparedResource> | undefined {
  const read = itemChange.read(entry, problems);
  const side = (name: string): PreparedResource | undefined => {
    if (!hasMember(entry, name)) return undefined;
    const found = below(problems, name, () => readResource(memberOf(entry, name), problems));
    return found && resourceRow(found.resource);
  };
  if (read === undefined || problems.hasAny) return undefined;
  const [before, after] = [side("before"), side("after")];
  if (before === undefined && after === undefined) problems.add("neither before nor after is a resource");
  const isOne = before === undefined || after === undefined || (before[2] === after[2] && before[3] === after[3]);
  if (!isOne) problems.add("before and after are different resources");
  return { before, after, changed: read.from, transaction: read.transaction };
}

/** Times as {@link deltas} writes them. */
const documentTimes: Kind<readonly Timestamp[]> = {
  read(value, problems) {
    if (!Array.isArray(value)) return problems.mismatch("a list", value);
    const [first, ...rest] = value;
    if (first === undefined) return [];
    const start = wireTime.read(first, problems);
    if (start === undefined) return undefined;
    const found = [start];
    let at = start;
    for (const delta of rest) {
      if (typeof delta !== "number" || !Number.isSafeInteger(delta) || delta < 0) {
        return problems.mismatch("microseconds after the time before it", delta);
      }
      at += BigInt(delta);
      if (storable(at) === undefined) {
        problems.add("a time is out of range");
        return undefined;
      }
      found.push(at);
    }
    return found;
  },
};

function readList<T>(
  value: Json | undefined,
  name: string,
  read: (entry: Json, problems: Problems) => T | undefined,
  onInvalid: OnInvalid,
): T[] {
  if (value === undefined) return [];
  const entries = readPart(value, [name], anyList, onInvalid) ?? [];
  return entries.flatMap((entry, at) => readPart(entry, [name, at], { read }, onInvalid) ?? []);
}

const anyList: Kind<Json[]> = {
  read: (value, problems) => (Array.isArray(value) ? value : problems.mismatch("a list", value)),
};

/** @returns undefined for an invalid part */
function readPart<T>(
  value: Json,
  path: readonly (string | number)[],
  kind: Kind<T>,
  onInvalid: OnInvalid,
): T | undefined {
  const problems = new Problems("replace catalog", commands["replace catalog"].newest);
  problems.path.push(...path);
  const read = kind.read(value, problems);
  if (!problems.hasAny) return read;
  onInvalid(problems.text);
  return undefined;
}

function below<T>(problems: Problems, key: string, read: () => T): T {
  problems.path.push(key);
  const found = read();
  problems.path.pop();
  return found;
}

function hasMember(value: Json, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name);
}

function memberOf(value: Json, name: string): Json {
  return isObject(value) ? (value[name] ?? null) : null;
}

/**
 * Since when the changes in an archive are complete.
 * @returns undefined where the document is invalid
 */
export function readHistoryState(document: Json, onInvalid: OnInvalid): Timestamp | undefined {
  return readPart(document, [], record<{ begun: Timestamp }>({ begun: wireTime }, "dropped"), onInvalid)?.begun;
}
