import { isObject, type Json, type JsonObject } from "#storage/json.ts";
import { membersOf } from "../output/rows.ts";

/** A change as it is shown: of a resource only what is different, parameters beside its other members. */
export function changeRow(row: JsonObject): JsonObject {
  const [before = null, after = null] = differing(row["before"], row["after"]);
  return { ...membersOf(row, "from", "certname", "what"), before, after, ...membersOf(row, "transaction") };
}

/** The parameters of a resource in a change; none where there is no resource. */
export function parametersOf(resource: Json | undefined): JsonObject {
  const parameters = isObject(resource ?? null) ? (resource as JsonObject)["parameters"] : undefined;
  return isObject(parameters ?? null) ? (parameters as JsonObject) : {};
}

function differing(before: Json | undefined, after: Json | undefined): (Json | undefined)[] {
  if (!isResource(before) && !isResource(after)) return [before, after];
  const [old, now] = [before, after].map(flat);
  if (old === undefined || now === undefined) return [before, after].map(ofOne);
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = names.filter((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]));
  return [old, now].map((values) => Object.fromEntries(changed.flatMap((name) => member(values, name))));
}

function member(values: JsonObject, name: string): [string, Json][] {
  const value = values[name];
  return value === undefined ? [] : [[name, value]];
}

function isResource(value: Json | undefined): value is JsonObject {
  return isObject(value ?? null) && Object.hasOwn(value as JsonObject, "parameters");
}

function flat(value: Json | undefined): JsonObject | undefined {
  if (!isResource(value)) return undefined;
  const { parameters: _, ...rest } = value;
  return { ...rest, ...parametersOf(value) };
}

/** Of a resource that was added or removed its parameters say most. */
function ofOne(value: Json | undefined): Json | undefined {
  return isResource(value) ? parametersOf(value) : value;
}
