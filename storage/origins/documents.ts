import type { UnchangedCatalog } from "../ingest/prepared.ts";
import type { Submission } from "../ingest/submission.ts";
import { isObject, type Json, type JsonObject, stringifyJson } from "../json.ts";
import type { Timestamp } from "../time.ts";
import { type CommandName, commands } from "../wire/commands.ts";
import { fieldsOf, textOf, textOrNull, timeOf } from "./origin-node.ts";

/*
 * Documents as the query API returns them, turned into the commands that they were stored from (`reference/entities.md`,
 * `reference/commands.md §3`).
 */

/** The kinds of documents that nodes have one of. */
export type CurrentKind = "facts" | "catalog" | "inputs";

/** A document of an origin. */
export interface OriginDocument {
  readonly kind: CurrentKind | "report";
  readonly submission: Submission;
  /** The origin's hash; null: it has none of this kind. */
  readonly hash: string | null;
  readonly produced: Timestamp;
  /** The same document if the origin's hash is not that of the submission. */
  readonly otherwise?: () => Submission;
}

/** What identifies the content of a document, and what may differ while the content is the same. */
export interface DocumentHeader {
  readonly kind: "facts" | "catalog";
  readonly certname: string;
  readonly hash: string;
  readonly produced: Timestamp;
  readonly environment: string | null;
  readonly producer: string | null;
  /** Of catalogs. */
  readonly meta: UnchangedCatalog["meta"] | undefined;
}

/** The fields that a header is read from. */
export const headerFields = {
  facts: "certname hash producer_timestamp environment producer".split(" "),
  catalog:
    "certname hash producer_timestamp environment producer version transaction_uuid catalog_uuid code_id job_id".split(
      " ",
    ),
} as const;

/** @throws CensusError "bad-file" for anything but a row with {@link headerFields} */
export function headerOf(kind: DocumentHeader["kind"], row: Json): DocumentHeader {
  const fields = fieldsOf(row, kind);
  const produced = producedOf(fields);
  const base = {
    certname: textOf(fields, "certname"),
    environment: textOrNull(fields, "environment"),
    producer: textOrNull(fields, "producer"),
  };
  const meta = (): DocumentHeader["meta"] => ({
    ...base,
    producer_timestamp: produced,
    version: textOf(fields, "version"),
    transaction_uuid: textOrNull(fields, "transaction_uuid"),
    catalog_uuid: textOrNull(fields, "catalog_uuid"),
    code_id: textOrNull(fields, "code_id"),
    job_id: textOrNull(fields, "job_id"),
  });
  return { kind, ...base, hash: textOf(fields, "hash"), produced, meta: kind === "facts" ? undefined : meta() };
}

function producedOf(fields: JsonObject): Timestamp {
  return timeOf(fields, "producer_timestamp") ?? timeOf({ time: textOf(fields, "producer_timestamp") }, "time") ?? 0n;
}

/** A row of `factsets` with its packages. @throws CensusError "bad-file" for anything else */
export function factsDocument(row: Json): OriginDocument {
  const fields = fieldsOf(row, "fact set");
  const { certname = null, environment = null, producer = null, producer_timestamp = null } = fields;
  const values = Object.fromEntries(
    dataOf(fields["facts"]).map((fact) => {
      const { name, value = null } = fieldsOf(fact, "fact");
      // It may be empty.
      return [typeof name === "string" ? name : textOf({}, "name"), value];
    }),
  );
  const payload = { certname, environment, producer, producer_timestamp, values, ...packagesOf(fields) };
  const received = timeOf(fields, "timestamp") ?? producedOf(fields);
  return documentOf("facts", "replace facts", fields, payload, received);
}

function packagesOf({ package_inventory: packages = null }: JsonObject): JsonObject {
  return packages === null ? {} : { package_inventory: packages };
}

/**
 * A row of `catalogs`. The answer does not distinguish `file` and `line` that are null from absent ones, which changes the hash.
 * Puppet leaves them out.
 * @param receivedOf when the origin received that of a node, which the row does not have
 * @throws CensusError "bad-file" for anything else
 */
export function catalogDocument(row: Json, receivedOf: (certname: string) => Timestamp | null): OriginDocument {
  const fields = fieldsOf(row, "catalog");
  const received = receivedOf(textOf(fields, "certname")) ?? producedOf(fields);
  const document = documentOf("catalog", "replace catalog", fields, catalogPayload(fields, false), received);
  const otherwise = (): Submission => ({
    ...document.submission,
    payload: stringifyJson(catalogPayload(fields, true)),
  });
  return { ...document, otherwise };
}

function catalogPayload(fields: JsonObject, withNulls: boolean): JsonObject {
  const { resources, edges, hash: _, ...others } = fields;
  return {
    ...others,
    resources: dataOf(resources).map((resource) => {
      const {
        resource: __,
        file = null,
        line = null,
        type,
        title,
        tags,
        exported,
        parameters,
      } = fieldsOf(resource, "resource");
      const place = {
        ...(file === null && !withNulls ? {} : { file }),
        ...(line === null && !withNulls ? {} : { line }),
      };
      return present({ type, title, tags, exported, ...place, parameters });
    }),
    edges: dataOf(edges).map((edge) => {
      const { source_type, source_title, target_type, target_title, relationship } = fieldsOf(edge, "edge");
      return present({
        source: present({ type: source_type, title: source_title }),
        target: present({ type: target_type, title: target_title }),
        relationship,
      });
    }),
  };
}

/** A row of `catalog-inputs`. @throws CensusError "bad-file" for anything else */
export function inputsDocument(row: Json): OriginDocument {
  const fields = fieldsOf(row, "catalog input");
  const { certname = null, producer_timestamp = null, catalog_uuid = null, inputs = null } = fields;
  const payload = { certname, producer_timestamp, catalog_uuid, inputs };
  return documentOf("inputs", "replace catalog inputs", fields, payload, producedOf(fields));
}

/**
 * A row of `reports`. Where it has no resources, each event becomes one, as in exports of PuppetDB: those without events are lost.
 * @throws CensusError "bad-file" for anything else
 */
export function reportDocument(row: Json): OriginDocument {
  const fields = fieldsOf(row, "report");
  const { hash: _, receive_time: __, resource_events: events, metrics, logs, resources: sent, ...others } = fields;
  const resources = dataOrNull(sent) ?? dataOf(events).map(resourceOf);
  const payload = { ...others, metrics: dataOrNull(metrics), logs: dataOrNull(logs), resources };
  const received = timeOf(fields, "receive_time") ?? producedOf(fields);
  return documentOf("report", "store report", fields, payload, received);
}

function resourceOf(row: Json): JsonObject {
  const event = fieldsOf(row, "event");
  const { resource_type, resource_title, file = null, line = null, containment_path = null, timestamp } = event;
  const {
    corrective_change = null,
    status,
    property = null,
    name = null,
    old_value,
    new_value,
    message = null,
  } = event;
  const base = present({ resource_type, resource_title, file, line, containment_path, timestamp, corrective_change });
  // The event of a resource that was skipped (`reference/commands.md §4.3`).
  if (status === "skipped" && property === null && message === null) return { ...base, skipped: true, events: [] };
  const values = { old_value: old_value ?? null, new_value: new_value ?? null };
  return {
    ...base,
    skipped: false,
    events: [present({ status, timestamp, property, name, ...values, message, corrective_change })],
  };
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((field): field is [string, Json] => field[1] !== undefined));
}

/** The list in `{"data": […], "href": …}`; empty where it is null. */
function dataOf(expanded: Json | undefined): Json[] {
  const data = dataOrNull(expanded);
  return Array.isArray(data) ? data : [];
}

function dataOrNull(expanded: Json | undefined): Json {
  return expanded !== undefined && isObject(expanded) ? (expanded["data"] ?? null) : null;
}

function documentOf(
  kind: OriginDocument["kind"],
  command: CommandName,
  fields: JsonObject,
  payload: JsonObject,
  received: Timestamp,
): OriginDocument {
  const { newest: version } = commands[command];
  const submission = {
    command,
    version,
    certname: textOf(fields, "certname"),
    payload: stringifyJson(payload),
    received,
  };
  return { kind, submission, hash: textOrNull(fields, "hash"), produced: producedOf(fields) };
}
