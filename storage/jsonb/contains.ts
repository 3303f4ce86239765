import { type Json, isExactNumber, isNumber, isObject } from "../json.ts";
import { decimal, jsonbText } from "./text.ts";

/** Comparing two values would take too many steps. */
export class TooManySteps extends Error {
  constructor() {
    super("the two values have too many similar elements to be compared");
    this.name = "TooManySteps";
  }
}

/**
 * Whether `outer` contains `inner` by the rules of jsonb's `@>`: objects by subset, arrays if every element of `inner`
 * occurs somewhere, scalars by value; an array does not contain a bare scalar below the top level
 * (`reference/query.md §5`). Elements are looked up rather than compared with each other.
 * @throws TooManySteps
 */
export function jsonbContains(outer: Json, inner: Json): boolean {
  // A document of a megabyte needs some hundred thousand steps.
  return contains(outer, inner, { left: 1_000_000 });
}

interface Steps {
  left: number;
}

function contains(outer: Json, inner: Json, steps: Steps): boolean {
  if (--steps.left < 0) throw new TooManySteps();
  if (Array.isArray(inner)) return Array.isArray(outer) && containsAll(outer, inner, steps);
  if (isObject(inner)) {
    return (
      isObject(outer) &&
      Object.entries(inner).every(([key, wanted]) => {
        const found = Object.hasOwn(outer, key) ? outer[key] : undefined;
        return found !== undefined && contains(found, wanted, steps);
      })
    );
  }
  return isScalar(outer) && scalarKey(outer) === scalarKey(inner);
}

function containsAll(outer: readonly Json[], inner: readonly Json[], steps: Steps): boolean {
  // Few are compared one by one.
  if (outer.length * inner.length <= 64) {
    return inner.every((wanted) => outer.some((found) => contains(found, wanted, steps)));
  }
  steps.left -= outer.length + inner.length;
  const scalars = new Set(outer.filter(isScalar).map(scalarKey));
  const [wantedScalars, wanted] = [inner.filter(isScalar), inner.filter((value) => !isScalar(value))];
  if (!wantedScalars.every((value) => scalars.has(scalarKey(value)))) return false;
  if (wanted.length === 0) return true;
  const found = distinct(outer.filter((value) => !isScalar(value)));
  const byToken = new Map<string, Json[]>();
  for (const value of found) {
    for (const token of tokensOf(value, steps)) {
      const others = byToken.get(token);
      if (others === undefined) byToken.set(token, [value]);
      else others.push(value);
    }
  }
  return distinct(wanted).every((value) => {
    let candidates: readonly Json[] | undefined;
    for (const token of tokensOf(value, steps)) {
      const having = byToken.get(token) ?? [];
      if (candidates === undefined || having.length < candidates.length) candidates = having;
    }
    return (candidates ?? []).some((candidate) => contains(candidate, value, steps));
  });
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== "object" || isExactNumber(value);
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [jsonbText(value), value])).values()];
}

/** Equal for scalars that jsonb treats as equal, whatever the scale or the exponent of a number. */
function scalarKey(value: Json): string {
  if (!isNumber(value)) return jsonbText(value);
  const { negative, digits, exponent } = decimal(value);
  return `${negative ? "-" : ""}${digits}e${exponent}`;
}

/** The members of a structure with their places: a structure that contains it has all of them too. */
function tokensOf(structure: Json, steps: Steps): Set<string> {
  const tokens = new Set<string>();
  const walk = (value: Json, path: string): void => {
    if (--steps.left < 0) throw new TooManySteps();
    if (Array.isArray(value)) {
      tokens.add(`${path}[`);
      for (const element of value) walk(element, `${path}[`);
    } else if (isObject(value)) {
      tokens.add(`${path}{`);
      for (const [key, member] of Object.entries(value)) walk(member, `${path}{${JSON.stringify(key)}`);
    } else {
      tokens.add(`${path}=${scalarKey(value)}`);
    }
  };
  walk(structure, "");
  return tokens;
}

/**
 * The longest text of a value, as a string or a key, that every JSON text of the value spells in the same way: a
 * document without this text cannot contain the value. Undefined where there is none.
 */
export function requiredText(value: Json): string | undefined {
  let longest = "";
  const consider = (text: string): void => {
    if (text.length > longest.length && /^[ !#-[\]-~]+$/.test(text)) longest = text;
  };
  const walk = (inner: Json): void => {
    if (typeof inner === "string") consider(inner);
    else if (Array.isArray(inner)) inner.forEach(walk);
    else if (isObject(inner)) {
      for (const [key, member] of Object.entries(inner)) {
        consider(key);
        walk(member);
      }
    }
  };
  walk(value);
  return longest === "" ? undefined : JSON.stringify(longest);
}
