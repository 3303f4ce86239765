import type { Package } from "../../hash/hashes.ts";
import type { PreparedCatalog, PreparedEdge, PreparedResource } from "../../ingest/prepared.ts";
import { edgeRow, resourceRow } from "../../ingest/rows.ts";
import { isObject, type Json, stringifyJson } from "../../json.ts";
import { jsonbText } from "../../jsonb/text.ts";
import type { Timestamp } from "../../time.ts";
import { readEdge, readResource } from "../../wire/catalog.ts";
import { MAX_DOCUMENT_DEPTH } from "../../wire/clean.ts";
import { commands } from "../../wire/commands.ts";
import { boolean, cleanDocument, integer, oneOf, text, uuid, wireTime } from "../../wire/kinds.ts";
import { Problems } from "../../wire/problems.ts";
import { type Fields, type Kind, list, nullable, optional, record } from "../../wire/shape.ts";
import type { Difference } from "../differences.ts";
import { nodeValueNames } from "../node-recorder.ts";
import { packageKey, versionsOf } from "../packages.ts";
import { digestOfValue } from "../stored-facts.ts";
import {
  type ChangeTable,
  edgesTable,
  factsTable,
  nodesTable,
  packagesTable,
  resourceKey,
  resourcesTable,
} from "../tables.ts";

/** A row of the history in an archive. */
export type ArchivedRow =
  /** Since when the changes are complete. */
  | { readonly kind: "begun"; readonly at: Timestamp }
  /** A node, before its changes. */
  | { readonly kind: "node"; readonly node: ArchivedNode }
  | { readonly kind: "change"; readonly table: ChangeTable; readonly change: ArchivedChange };

export interface ArchivedNode {
  readonly certname: string;
  readonly state: "active" | "deactivated" | "expired";
  /** When its fact sets and its catalogs were produced. */
  readonly facts: readonly Timestamp[];
  readonly catalog: readonly Timestamp[];
}

/** A change of a node. In place of ids of resources and edges it has their digests. */
export interface ArchivedChange extends Difference {
  readonly certname: string;
  readonly changed: Timestamp;
  readonly transaction: string | null;
  /** The resources and edges that it mentions. */
  readonly items?: Pick<PreparedCatalog, "resources" | "edges">;
}

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

/** In place of a fact's value where there was none. */
const NONE: Json = ["none"];

/** A scalar, an empty list or object, or the digest of a long value. */
const factValue: Kind<string | undefined> = {
  absent: NONE,
  read(value, problems) {
    if (value === NONE) return undefined;
    if (isObject(value) && typeof value["bytes"] === "number" && typeof value["sha1"] === "string") {
      return digestOfValue(value["bytes"], value["sha1"]);
    }
    const isFull = Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
    if (isFull) return problems.mismatch("a scalar, or an empty list or object", value);
    return jsonbText(cleanDocument.read(value, problems) ?? null);
  },
};

const resource: Kind<PreparedResource> = {
  read(value, problems) {
    const found = readResource(value, problems);
    return found && resourceRow(found.resource);
  },
};

const edge: Kind<PreparedEdge> = {
  read(value, problems) {
    const found = readEdge(value, problems);
    return found && edgeRow(found.edge);
  },
};

const transaction = optional(nullable(uuid));

/** The rows of a table of changes. @param changeOf what changed, of the fields of a row */
function changes<T extends object>(
  table: ChangeTable,
  fields: Fields<T>,
  changeOf: (row: T, problems: Problems) => Difference & Pick<ArchivedChange, "items">,
): Kind<ArchivedRow> {
  const own = record<T>(fields, "dropped");
  const common = record({ certname: text, from: wireTime, transaction }, "dropped");
  return {
    read(value, problems) {
      const [row, of] = [own.read(value, problems), common.read(value, problems)];
      if (row === undefined || of === undefined || problems.hasAny) return undefined;
      const { certname, from: changed, transaction } = of;
      return { kind: "change", table, change: { certname, changed, transaction, ...changeOf(row, problems) } };
    },
  };
}

const begun: Kind<ArchivedRow> = {
  read(value, problems) {
    const at = record({ begun: wireTime }, "dropped").read(value, problems)?.begun;
    return at === undefined ? undefined : { kind: "begun", at };
  },
};

const node = record<ArchivedNode>(
  {
    certname: text,
    state: oneOf(["active", "deactivated", "expired"]),
    facts: list(wireTime),
    catalog: list(wireTime),
  },
  "dropped",
);

/** What the lines of members are, by the names of the members (docs/archives.md). */
const kinds: Readonly<Record<string, Kind<ArchivedRow>>> = {
  begun,
  documents: {
    read(value, problems) {
      const read = node.read(value, problems);
      return read && { kind: "node", node: read };
    },
  },
  facts: changes(factsTable, { path: factPath, before: factValue, after: factValue }, ({ path, before, after }) => ({
    name: stringifyJson([...path]),
    before,
    after,
  })),
  packages: changes(
    packagesTable,
    { name: text, provider: text, before: list(text), after: list(text) },
    ({ name, provider, ...versions }) => {
      const key = packageKey(name, provider);
      const state = (all: readonly string[]): string | undefined =>
        versionsOf(all.map((version): Package => [name, version, provider])).get(key);
      return { name: key, before: state(versions.before), after: state(versions.after) };
    },
  ),
  values: changes(
    nodesTable,
    { what: oneOf(nodeValueNames), before: nullable(text), after: nullable(text) },
    ({ what, before, after }) => ({ name: what, before: before ?? undefined, after: after ?? undefined }),
  ),
  resources: changes(
    resourcesTable,
    { before: optional(nullable(resource)), after: optional(nullable(resource)) },
    ({ before, after }, problems) => {
      const resources = [before, after].filter((each) => each !== null);
      const [name, ...others] = new Set(resources.map(([, , type, title]) => resourceKey(type, title)));
      if (name === undefined) problems.add("neither before nor after is a resource");
      if (others.length > 0) problems.add("before and after are different resources");
      return { name: name ?? "", before: before?.[0], after: after?.[0], items: { resources, edges: [] } };
    },
  ),
  edges: changes(edgesTable, { edge, came: boolean }, ({ edge, came }) => {
    const [before, after] = came ? [undefined, ""] : ["", undefined];
    return { name: edge[0], before, after, items: { resources: [], edges: [edge] } };
  }),
};

/**
 * Reads a row.
 * @param kind the name of its member
 * @param onInvalid called with what is invalid in it
 * @returns undefined for a row that is invalid, or of a kind that is not known
 */
export function readArchivedRow(
  kind: string,
  value: Json,
  onInvalid: (reason: string) => void,
): ArchivedRow | undefined {
  const problems = new Problems("replace catalog", commands["replace catalog"].newest);
  const read = Object.hasOwn(kinds, kind) ? kinds[kind]?.read(value, problems) : undefined;
  if (!problems.hasAny) return read;
  onInvalid(problems.text);
  return undefined;
}
