import { isInteger } from "../hash/canonical.ts";
import {
  type ExactNumber,
  type Json,
  type JsonObject,
  isExactNumber,
  isNumber,
  isObject,
  numberText,
} from "../json.ts";
import type { Timestamp } from "../time.ts";
import { MAX_DOCUMENT_DEPTH, cleanText, cleanUnlessTooDeep, isTooDeep } from "./clean.ts";
import { type Problems, quoted } from "./problems.ts";
import type { Kind } from "./shape.ts";
import { parseLooseTime, parseWireTime } from "./time.ts";
import { normalizeUuid } from "./uuid.ts";

/** The scalar and free kinds of value that the wire formats are made of (reference/commands.md §3). */

/** A string for a text column. Such columns cannot store U+0000, which does not occur in names and paths. */
export const text: Kind<string> = {
  read(value, problems) {
    if (typeof value !== "string") return problems.mismatch("a string", value);
    if (value.includes("\0")) problems.add("the character U+0000 cannot be stored here");
    return cleanText(value);
  },
};

/** The same for what providers and resources print, in which U+0000 is replaced ({@link cleanText}). */
export const printedText: Kind<string> = {
  read: (value, problems) => (typeof value === "string" ? cleanText(value) : problems.mismatch("a string", value)),
};

/** A string inside a JSON column, which can store any text. */
export const jsonString: Kind<string> = {
  read: (value, problems) => (typeof value === "string" ? value : problems.mismatch("a string", value)),
};

export const boolean: Kind<boolean> = {
  read: (value, problems) => (typeof value === "boolean" ? value : problems.mismatch("a boolean", value)),
};

/** The same, of a number or a boolean too, which becomes the text that PostgreSQL makes of it. */
export const scalarText: Kind<string> = {
  read(value, problems) {
    if (typeof value === "boolean") return String(value);
    return isNumber(value) ? textOfNumber(value) : text.read(value, problems);
  },
};

function textOfNumber(value: number | ExactNumber): string {
  const digits = numberText(value);
  if (isInteger(value)) return digits;
  const number = Number(digits);
  const size = Math.abs(number);
  // PostgreSQL writes exponents from other sizes on than JavaScript, and with two digits.
  if (size === 0 || !Number.isFinite(number) || (size >= 1e-4 && size < 1e15)) return String(number);
  return number.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/** A JSON number of `bits` bits including the sign; a fraction is rounded, halves to even, as PostgreSQL does. */
export function roundedInteger(bits: 16 | 32): Kind<number> {
  const whole = integer(bits);
  return {
    read: (value, problems) => whole.read(isNumber(value) ? rounded(value) : value, problems),
  };
}

function rounded(value: number | ExactNumber): number | ExactNumber {
  if (isInteger(value)) return value;
  const number = Number(numberText(value));
  const below = Math.floor(number);
  if (number - below !== 0.5) return Math.round(number);
  return below % 2 === 0 ? below : below + 1;
}

/** A JSON number without fraction or exponent, of `bits` bits including the sign. */
export function integer(bits: 16 | 32): Kind<number> {
  const limit = 2 ** (bits - 1);
  return {
    read(value, problems) {
      if (!isNumber(value)) return problems.mismatch("an integer", value);
      if (!isInteger(value)) return problems.mismatch("an integer", value);
      const number = Number(isExactNumber(value) ? value.rawJSON : value) + 0;
      if (number < -limit || number >= limit) problems.add(`does not fit into ${bits} bits`);
      return number;
    },
  };
}

/** An integer of any size, stored as sent. */
export const anyInteger: Kind<number | ExactNumber> = {
  read: (value, problems) => (isNumber(value) && isInteger(value) ? value : problems.mismatch("an integer", value)),
};

export const number: Kind<number | ExactNumber> = {
  read: (value, problems) => (isNumber(value) ? value : problems.mismatch("a number", value)),
};

/** One of the given words. */
export function oneOf<T extends string>(words: readonly T[]): Kind<T> {
  const expected = `one of ${words.join(", ")}`;
  return {
    read(value, problems) {
      if (typeof value !== "string") return problems.mismatch(expected, value);
      if (!(words as readonly string[]).includes(value)) {
        problems.addQuoting(`expected ${expected}, found ${quoted(value)}`, `expected ${expected}`);
      }
      return value as T;
    },
  };
}

/** A UUID, normalised. */
export const uuid: Kind<string> = {
  read(value, problems) {
    if (typeof value !== "string") return problems.mismatch("a UUID", value);
    const uuid = normalizeUuid(value);
    if (uuid === undefined) problems.addQuoting(`${quoted(value)} is not a UUID`, "not a UUID");
    return uuid ?? value;
  },
};

/** A time in the strict format. */
export const wireTime: Kind<Timestamp> = {
  read(value, problems) {
    if (typeof value !== "string") return problems.mismatch("an ISO date-time", value);
    return (
      parseWireTime(value) ?? invalidTime("an ISO date-time with zone, e.g. 2024-01-02T03:04:05.678Z", value, problems)
    );
  },
};

/** A time in the loose format. */
export const looseTime: Kind<Timestamp> = {
  read(value, problems) {
    const time = parseLooseTime(value);
    if (time !== undefined) return time;
    if (typeof value !== "string") return problems.mismatch("a date-time", value);
    return invalidTime("a date-time", value, problems);
  },
};

function invalidTime(expected: string, found: string, problems: Problems): Timestamp {
  problems.addQuoting(`expected ${expected}, found ${quoted(found)}`, `expected ${expected}`);
  return 0n;
}

/** Any JSON, cleaned for storing. */
export const cleanDocument: Kind<Json> = {
  read(value, problems) {
    const cleaned = cleanUnlessTooDeep(value);
    return cleaned === undefined ? tooDeep(problems) : cleaned;
  },
};

/** Any JSON, exactly as sent: for values that are hashed or written as canonical text before they are cleaned. */
export const rawDocument: Kind<Json> = {
  read: (value, problems) => (isTooDeep(value) ? tooDeep(problems) : value),
};

function tooDeep(problems: Problems): null {
  problems.add(`nested deeper than ${MAX_DOCUMENT_DEPTH} levels`);
  return null;
}

/** Checked by `kind`, but stored as sent, only cleaned. */
export function asSent(kind: Kind<unknown>): Kind<Json> {
  return {
    read(value, problems) {
      kind.read(value, problems);
      return cleanDocument.read(value, problems);
    },
  };
}

/** An object of any JSON, cleaned for storing. */
export const cleanObject: Kind<JsonObject> = {
  read(value, problems) {
    return isObject(value)
      ? (cleanDocument.read(value, problems) as JsonObject)
      : problems.mismatch("an object", value);
  },
};
