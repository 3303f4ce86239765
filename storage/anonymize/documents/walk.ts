import { isObject, type Json, type JsonObject } from "../../json.ts";
import type { TextKind } from "../kinds.ts";
import { normalizeUuid } from "../../wire/uuid.ts";
import type { Replacer } from "../replacer.ts";

/**
 * How one part of a document is anonymized. The formats are tables of walks, as the wire formats are tables of kinds. A
 * walk takes whatever it gets: what is not of the type that the format demands is hidden, not passed on.
 * @param type the type of the resource that the part belongs to; empty outside of resources
 */
export type Walk = (value: Json, to: Replacer, type: string) => Json;

/** A text of a kind. What its rules look at is the type of the resource. */
export function text(kind: TextKind): Walk {
  return onText((value, to, type) => to.text(kind, value, type));
}

/** A text that something is done with; null stays null. */
export function onText(change: (text: string, to: Replacer, type: string) => string): Walk {
  return (value, to, type) => {
    if (typeof value === "string") return change(value, to, type);
    return value === null ? null : unexpected(value, to);
  };
}

/** A scalar that every profile keeps: a flag, a count, a word of the format. Texts lose the nodes' names in them. */
export const kept: Walk = (value, to) => {
  return Array.isArray(value) || isObject(value) ? unexpected(value, to) : to.keptValue(value);
};

/** A point in time. */
export const time: Walk = (value, to) => {
  return typeof value === "string" && !/^[\d\sTZWtzw:.+-]*$/.test(value) ? unexpected(value, to) : kept(value, to, "");
};

export const line: Walk = (value, to) => to.line(value);

/** Identifiers and versions: what the rules look at is the text itself. */
export const version: Walk = onText((value, to) => to.text("version", value, value));

/** A type of resource; the rules look at itself. */
export const type: Walk = onText((value, to) => to.text("type", value, value));

/** A UUID, which is the same however it is written. */
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

/** A list whose elements have each their own meaning. */
export function tuple(...elements: readonly Walk[]): Walk {
  return (value, to, type) => {
    if (!Array.isArray(value)) return unexpected(value, to);
    return value.map((inner, index) => (elements[index] ?? unexpected)(inner, to, type));
  };
}

/**
 * An object of these keys; what is not among them is left out.
 * @param typeKey the key that has the type of the resource that all the others belong to
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

/** What the format does not allow here: hidden, for who knows what it is. */
export function unexpected(value: Json, to: Replacer): Json {
  return to.hidden("parameter-value", value);
}
