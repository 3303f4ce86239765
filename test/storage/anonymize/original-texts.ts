import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import type { Kind } from "#storage/anonymize/kinds.ts";

/** One text of a document, the kind of thing that it is, and the subjects by which a profile's rules decide. */
export interface OriginalText {
  readonly kind: Kind | "word";
  readonly text: string;
  /** for types and titles the type of the resource, for facts the name and those around it */
  readonly subjects: readonly string[];
}

type Object = JsonObject;

/**
 * All texts of a document of an archive, read independently of the code that anonymizes it. `word` are words of
 * the format: times, states, counters.
 */
export function* originalTextsOf(folder: string, document: Object): Generator<OriginalText> {
  yield* all("node", document["certname"], document["producer"]);
  yield* all("environment", document["environment"]);
  yield* all("uuid", document["transaction_uuid"], document["catalog_uuid"]);
  yield* all("word", document["producer_timestamp"], document["status"], document["puppet_version"], document["type"]);
  for (const key of ["version", "configuration_version", "code_id", "job_id"]) {
    const version = document[key];
    if (typeof version === "string") yield { kind: "version", text: version, subjects: [version] };
  }
  yield* (folders[folder] as (document: Object) => Generator<OriginalText>)(document);
}

const folders: Readonly<Record<string, (document: Object) => Generator<OriginalText>>> = {
  *configure_expiration() {},
  *catalogs(document) {
    for (const resource of objects(document["resources"])) yield* inResource(resource);
    for (const { source, target } of objects(document["edges"]) as { source: Object; target: Object }[]) {
      for (const { type, title } of [source, target]) yield* named(type, title);
    }
  },
  *reports(document) {
    for (const resource of objects(document["resources"])) yield* inReport(resource);
    for (const log of objects(document["logs"])) {
      yield* all("text", log["message"]);
      yield* all("file", log["file"]);
      yield* tags(log["tags"]);
      yield* all("word", log["level"], log["time"]);
    }
    for (const { category, name } of objects(document["metrics"])) {
      if (category === "time") yield* tags([name as Json]);
      else yield* all("word", category, name);
    }
  },
  *facts(document) {
    yield* inFacts(document["values"] as Object, []);
    for (const [name, ...rest] of (document["package_inventory"] ?? []) as string[][]) {
      yield { kind: "title", text: name as string, subjects: ["Package"] };
      for (const text of rest) yield { kind: "fact-value", text, subjects: ["package_inventory"] };
    }
  },
  *catalog_inputs(document) {
    for (const [type, name] of document["inputs"] as [string, string][]) {
      yield* all("catalog-input-type", type);
      yield* all("catalog-input-value", name);
    }
  },
};

function* inResource({ type, title, file, tags: own, parameters }: Object): Generator<OriginalText> {
  yield* named(type, title);
  yield* all("file", file);
  yield* tags(own);
  for (const [name, value] of Object.entries(parameters as Object)) {
    yield* all("parameter-name", name);
    yield* leaves("parameter-value", value, []);
  }
}

function* inReport(resource: Object): Generator<OriginalText> {
  const { resource_type, resource_title, file, containment_path, events } = resource;
  yield* named(resource_type, resource_title);
  yield* all("file", file);
  for (const place of containment_path as string[]) {
    const [, type, title] = /^([\w:]+)\[(.*)\]$/s.exec(place) ?? [undefined, "Class", place];
    yield* named(type, title);
  }
  for (const event of objects(events)) {
    yield* all("word", event["status"], event["timestamp"]);
    yield* all("parameter-name", event["property"], event["name"]);
    yield* leaves("parameter-value", event["old_value"], []);
    yield* leaves("parameter-value", event["new_value"], []);
    yield* all("message", event["message"]);
  }
}

function* inFacts(value: Json, names: readonly string[]): Generator<OriginalText> {
  if (Array.isArray(value)) for (const element of value) yield* inFacts(element, names);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      yield { kind: "fact-name", text: name, subjects: [name] };
      yield* inFacts(inner, [name, ...names]);
    }
  } else if (typeof value === "string") yield { kind: "fact-value", text: value, subjects: names };
}

function* named(type: Json | undefined, title: Json | undefined): Generator<OriginalText> {
  yield { kind: "type", text: type as string, subjects: [type as string] };
  yield { kind: "title", text: title as string, subjects: [type as string] };
}

function* tags(list: Json | undefined): Generator<OriginalText> {
  for (const tag of list as string[]) {
    const subject = tag.replace(/(?<=^|::)./gu, (first) => first.toUpperCase());
    yield { kind: "tag", text: tag, subjects: [subject] };
  }
}

function* leaves(kind: Kind, value: Json | undefined, subjects: readonly string[]): Generator<OriginalText> {
  if (Array.isArray(value)) for (const element of value) yield* leaves(kind, element, subjects);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield { kind, text: key, subjects };
      yield* leaves(kind, inner, subjects);
    }
  } else yield* all(kind, value);
}

function* all(kind: OriginalText["kind"], ...values: readonly (Json | undefined)[]): Generator<OriginalText> {
  for (const text of values) if (typeof text === "string") yield { kind, text, subjects: [] };
}

function objects(list: Json | undefined): Object[] {
  return (list ?? []) as Object[];
}
