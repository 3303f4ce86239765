import { isField } from "#storage/query/pql/field-text.ts";

/** Turns the texts of one query-string parameter into a value, and back. */
export interface Codec<T> {
  /** @returns undefined when the texts are not valid: the parameter is then dropped */
  readonly read: (texts: readonly string[]) => T | undefined;
  /** @returns no text when the parameter is left out of the address */
  readonly write: (value: T) => readonly string[];
  /** The value without parameter. */
  readonly fallback: T;
}

/** A text; an empty one is left out. */
export function text(fallback = ""): Codec<string> {
  return { read: ([first]) => first, write: (value) => (value === fallback ? [] : [value]), fallback };
}

/** One of the given texts. */
export function oneOf<const T extends string>(choices: readonly T[], fallback: T): Codec<T> {
  return {
    read: ([first]) => choices.find((choice) => choice === first),
    write: (value) => (value === fallback ? [] : [value]),
    fallback,
  };
}

/** A repeated parameter. */
export const texts: Codec<readonly string[]> = { read: (all) => all, write: (all) => all, fallback: [] };

/** Texts in one parameter, separated by commas. A comma or backslash inside a text is written behind a backslash. */
export function list(fallback: readonly string[] = []): Codec<readonly string[]> {
  return {
    read: ([first = ""]) => (first === "" ? [] : splitList(first)),
    write: (all) =>
      sameTexts(all, fallback) ? [] : [all.map((one) => one.replaceAll(/[\\,]/g, String.raw`\$&`)).join(",")],
    fallback,
  };
}

function splitList(joined: string): string[] {
  const parts = [""];
  for (const [, escaped, char = ""] of joined.matchAll(/\\([\s\S])|([\s\S])/g)) {
    if (escaped === undefined && char === ",") parts.push("");
    else parts.push(`${parts.pop() ?? ""}${escaped ?? char}`);
  }
  return parts;
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** A whole number of at least 0. */
export function count(fallback: number): Codec<number> {
  return {
    read: ([first = ""]) => (/^\d{1,9}$/.test(first) ? Number(first) : undefined),
    write: (value) => (value === fallback ? [] : [String(value)]),
    fallback,
  };
}

/** On when the parameter is present. */
export const flag: Codec<boolean> = {
  read: ([first]) => first !== undefined,
  write: (value) => (value ? [""] : []),
  fallback: false,
};

/** A field to sort by; in the address `-` before it means descending. */
export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** `-report_timestamp` */
export function sort(fallback: Sort): Codec<Sort> {
  const written = ({ field, descending }: Sort): string => `${descending ? "-" : ""}${field}`;
  return {
    read: ([first = ""]) => {
      const [, minus, field] = /^(-?)([^\s-].*)$/.exec(first) ?? [];
      return field === undefined || !isField(field) ? undefined : { field, descending: minus === "-" };
    },
    write: (value) => (written(value) === written(fallback) ? [] : [written(value)]),
    fallback,
  };
}
