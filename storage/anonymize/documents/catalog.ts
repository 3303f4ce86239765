import { isObject, type Json } from "../../json.ts";
import { reference } from "../references.ts";
import { mapObject, type Replacer } from "../replacer.ts";
import { each, kept, line, onText, record, text, time, type, unexpected, uuid, version, type Walk } from "./walk.ts";

/** Tags, and the names of metrics that are names of types. The type of the resource decides about them. */
export const tag: Walk = onText((value, to, type) => to.tag(value, type));

const referenceWalk: Walk = onText((value, to, type) => reference(value, to, type));

/** Parameters that name other resources, or this one; they are part of the model, so their names are kept. */
const METAPARAMETERS: ReadonlyMap<string, Walk> = new Map([
  ["alias", oneOrEach(text("title"))],
  ["stage", (value: Json, to: Replacer) => oneOrEach(text("title"))(value, to, "Stage")],
  ["tag", oneOrEach(tag)],
  ...["require", "before", "notify", "subscribe"].map((name) => [name, oneOrEach(referenceWalk)] as const),
]);

const parameters: Walk = (value, to, type) => {
  if (!isObject(value)) return value === null ? null : unexpected(value, to);
  return mapObject(
    value,
    (name) => (METAPARAMETERS.has(name) ? name : to.text("parameter-name", name)),
    (inner, name) => {
      const walk = METAPARAMETERS.get(name);
      return walk === undefined ? parameterValue(inner, to, type) : walk(inner, to, type);
    },
  );
};

/** The value of a parameter or of a property. */
export const parameterValue: Walk = (value, to) => {
  return to.verdict("parameter-value") === "kept" ? to.keptValue(value) : to.hidden("parameter-value", value);
};

const resource = record(
  {
    type,
    title: text("title"),
    tags: each(tag),
    exported: kept,
    file: text("file"),
    line,
    parameters,
  },
  "type",
);

const end = record({ type, title: text("title") }, "type");

/** `replace catalog` 9 (reference/archive.md §5.2). */
export const catalog = record({
  certname: text("node"),
  producer: text("node"),
  environment: text("environment"),
  transaction_uuid: uuid,
  catalog_uuid: uuid,
  code_id: version,
  job_id: version,
  version,
  producer_timestamp: time,
  resources: each(resource),
  edges: each(record({ source: end, target: end, relationship: kept })),
});

function oneOrEach(walk: Walk): Walk {
  const all = each(walk);
  return (value, to, type) => (Array.isArray(value) ? all : walk)(value, to, type);
}
