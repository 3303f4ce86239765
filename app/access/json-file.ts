import { CensusError, messageOf } from "#storage/errors.ts";

/*
 * Reads files that people write in JSON. A place is the file and the path in it, for messages; each function throws CensusError
 * "bad-file" with the place and what was expected.
 */

export function parseFile(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Without the piece of the text that Node may quote: it can be of a hash, and the status shows this.
    const why = messageOf(error).replace(/, [."][^]*$/, "");
    throw new CensusError("bad-file", `${place} is not valid JSON: ${why}`, { cause: error });
  }
}

/** An object. @param known the names of its properties; absent: any */
export function record(
  place: string,
  value: unknown,
  known?: readonly string[],
  { noun = "property", expected = "an object" } = {},
): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(place, `expected ${expected}`);
  const unknown = known && Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw invalid(place, `unknown ${noun} ${JSON.stringify(unknown)}; use ${known?.join(", ")}`);
}

export function list<T>(
  place: string,
  value: unknown,
  read: (place: string, item: unknown) => T,
  expected = "a list",
): T[] {
  if (!Array.isArray(value)) throw invalid(place, `expected ${expected}`);
  return value.map((item: unknown, index) => read(`${place}[${index}]`, item));
}

export function text(place: string, value: unknown, pattern: RegExp, expected: string): string {
  if (typeof value === "string" && pattern.test(value)) return value;
  throw invalid(place, `expected ${expected}`);
}

export function oneOf<T extends string>(place: string, value: unknown, known: readonly T[], expected: string): T {
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  throw invalid(place, `expected ${expected}`);
}

export function invalid(place: string, problem: string): CensusError {
  return new CensusError("bad-file", `${place}: ${problem}`);
}
