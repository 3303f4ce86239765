import { type Json, type JsonObject, isObject } from "../json.ts";
import type { Problems } from "./problems.ts";

/**
 * One kind of value in a wire format: how it is checked and read. The formats are tables of kinds, so that a format's
 * declaration reads like its documentation. One walk both checks and converts: it returns exact numbers, microseconds
 * and cleaned texts, and every problem with its path. A general schema library would need a second walk and a
 * translation of its messages.
 */
export interface Kind<T> {
  /** Reads `value`; errors are added to `problems`, and then the result, possibly undefined, must not be used. */
  readonly read: (value: Json, problems: Problems) => T | undefined;
  /** the value of a missing key; undefined: the key is required */
  readonly absent?: Json;
}

/** The key may be missing, with the default `absent`. */
export function optional<T>(kind: Kind<T>, absent: Json = null): Kind<T> {
  return { ...kind, absent };
}

export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return { read: (value, problems) => (value === null ? null : kind.read(value, problems)) };
}

export function list<T>(kind: Kind<T>): Kind<T[]> {
  return {
    read(value, problems) {
      if (!Array.isArray(value)) return problems.mismatch("a list", value);
      const result: T[] = [];
      for (const [index, element] of value.entries()) {
        problems.path.push(index);
        result.push(kind.read(element, problems) as T);
        problems.path.pop();
      }
      return result;
    },
  };
}

/** An empty object or text in place of an empty list is the list: PuppetDB reads all of them as sequences. */
export function emptyAsList<T>(inner: Kind<T>): Kind<T> {
  return { ...inner, read: (value, problems) => inner.read(isEmpty(value) ? [] : value, problems) };
}

/** Whether a value is a text, a list or an object without anything in it. */
export function isEmpty(value: Json): boolean {
  if (value === "" || (Array.isArray(value) && value.length === 0)) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

/** A list, or null for an empty one. */
export function listOrNull<T>(kind: Kind<T>): Kind<T[]> {
  const inner = list(kind);
  return { read: (value, problems) => (value === null ? [] : inner.read(value, problems)) };
}

/** A list with exactly as many elements as `names`, which describe them in messages. */
export function tuple<T, const N extends readonly string[]>(kind: Kind<T>, names: N): Kind<{ [I in keyof N]: T }> {
  const expected = `[${names.join(", ")}]`;
  const inner = list(kind);
  return {
    read(value, problems) {
      if (!Array.isArray(value)) return problems.mismatch(`a list ${expected}`, value);
      if (value.length === names.length) return inner.read(value, problems) as { [I in keyof N]: T } | undefined;
      problems.add(`expected ${expected}, found a list of ${value.length}`);
      return undefined;
    },
  };
}

export type Fields<T> = { readonly [K in keyof T]: Kind<T[K]> };

/** An object with the keys of `fields`; `others` decides about further keys. */
export function record<T extends object>(fields: Fields<T>, others: "refused" | "dropped"): Kind<T> {
  const kinds = Object.entries(fields) as [string, Kind<unknown>][];
  const known = new Set(Object.keys(fields));
  return {
    read(value, problems) {
      if (!isObject(value)) return problems.mismatch("an object", value);
      const result: Record<string, unknown> = {};
      for (const [name, kind] of kinds) {
        const field = value[name] ?? (Object.hasOwn(value, name) ? null : kind.absent);
        if (field === undefined) {
          problems.add("missing", name);
          continue;
        }
        problems.path.push(name);
        result[name] = kind.read(field, problems);
        problems.path.pop();
      }
      if (others === "refused") reportOtherKeys(value, known, problems);
      return result as T;
    },
  };
}

function reportOtherKeys(value: JsonObject, known: ReadonlySet<string>, problems: Problems): void {
  for (const key in value) if (!known.has(key)) problems.add("unknown key", key);
}
