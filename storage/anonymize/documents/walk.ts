import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { TextKind } from "../kinds.ts";
import { normalizeUuid } from "../../wire/uuid.ts";
import type { Replacer } from "../replacer.ts";

/**
 * The anonymization of one part of a document. The formats are tables of walks, as the wire formats are tables of
 * kinds. A walk accepts any value: a value of the wrong type is hidden, not returned unchanged.
 * @param type the type of the resource that the part belongs to; empty outside of resources
 */
export type Walk = (value: Json, to: Replacer, type: string) => Json;

/** A text of a kind. Its rules apply to the type of the resource. */
export function text(kind: TextKind): Walk {
  return onText((value, to, type) => to.text(kind, value, type));
}

/** A text that is processed; null remains null. */
export function onText(change: (text: string, to: Replacer, type: string) => string): Walk {
  return (value, to, type) => {
    if (typeof value === "string") return change(value, to, type);
    return value === null ? null : unexpected(value, to);
  };
}

/** A scalar that every profile keeps: a flag, a count, a keyword of the format. Nodes' names in texts are replaced. */
export const kept: Walk = (value, to) => {
  return Array.isArray(value) || isObject(value) ? unexpected(value, to) : to.keptValue(value);
};

/** A point in time. */
export const time: Walk = (value, to) => {
  return typeof value === "string" && !/^[\d\sTZWtzw:.+-]*$/.test(value) ? unexpected(value, to) : kept(value, to, "");
};

export const line: Walk = (value, to) => to.line(value);

/** Identifiers and versions: the rules apply to the text itself. */
export const version: Walk = onText((value, to) => to.text("version", value, value));

/** A type of resource; the rules apply to the type itself. */
export const type: Walk = onText((value, to) => to.text("type", value, value));

/** A UUID; its spelling does not matter. */
export const uuid: Walk = onText((value, to) => {
  return to.verdict("uuid") === "kept" ? to.kept(value) : to.text("uuid", normalizeUuid(value) ?? value);
});

/** A list, or null for an empty one. */
export function each(element: Walk): Walk {
  return (value, to, type) => {
    if (Array.isArray(value)) return value.map((inner) => element(inner, to, type));
    return value === null ? null : unexpected(value, to);
  };
}

/** A list whose elements have different meanings. */
export function tuple(...elements: readonly Walk[]): Walk {
  return (value, to, type) => {
    if (!Array.isArray(value)) return unexpected(value, to);
    return value.map((inner, index) => (elements[index] ?? unexpected)(inner, to, type));
  };
}

/**
 * An object with these keys; other keys are omitted.
 * @param typeKey the key with the type of the resource that all other keys belong to
 */
export function record(fields: Readonly<Record<string, Walk>>, typeKey?: string): Walk {
  const walks = new Map(Object.entries(fields));
  return (value, to, outer) => {
    if (!isObject(value)) return unexpected(value, to);
    const own = typeKey === undefined ? outer : value[typeKey];
    const type = typeof own === "string" ? own : outer;
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const walk = walks.get(key);
      if (walk !== undefined) result[key] = walk(value[key] as Json, to, type);
    }
    return result;
  };
}

/** A value that the format does not allow here: hidden, because its meaning is unknown. */
export function unexpected(value: Json, to: Replacer): Json {
  return to.hidden("parameter-value", value);
}
