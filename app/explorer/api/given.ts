import { CensusError, messageOf } from "#storage/errors.ts";
import { isNumber, parseJson, stringifyJson } from "#storage/json.ts";
import { type HttpRequest, readBody } from "../../http/request.ts";
import { formPairs } from "../../query/form-pairs.ts";

/** Parameters by name, each with its values in the order in which they were given. */
export type Given = ReadonlyMap<string, readonly string[]>;

/**
 * The parameters of a request: those of a GET are in its address, those of a POST in its body, a JSON object with the same
 * names, where a list gives a parameter several times.
 * @param names those that the endpoint has
 * @param largest bytes that the body may have, unpacked
 * @throws CensusError "bad-input" saying what is wrong with them
 */
export async function readGiven(request: HttpRequest, names: readonly string[], largest: number): Promise<Given> {
  const isPost = request.message.method === "POST";
  const pairs = isPost ? bodyPairs(await readBody(request, largest)) : formPairs(request.search);
  const given = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (!names.includes(name)) {
      throw new CensusError("bad-input", `unknown parameter '${name}'; this endpoint has ${names.join(", ")}`);
    }
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return given;
}

/**
 * The value of a parameter that is given at most once.
 * @throws CensusError "bad-input" when it is given several times
 */
export function single(given: Given, name: string): string | undefined {
  const values = given.get(name) ?? [];
  if (values.length > 1) throw new CensusError("bad-input", `parameter '${name}' is given ${values.length} times`);
  return values[0];
}

/**
 * The value of a parameter that has to be given.
 * @throws CensusError "bad-input" when it is missing or given several times
 */
export function required(given: Given, name: string): string {
  const value = single(given, name);
  if (value === undefined) throw new CensusError("bad-input", `parameter '${name}' is missing`);
  return value;
}

/**
 * A whole number.
 * @throws CensusError "bad-input" when it is none from `least` to `most`
 */
export function wholeNumber(
  given: Given,
  name: string,
  { least = 0, most, otherwise }: { readonly least?: number; readonly most: number; readonly otherwise: number },
): number {
  const text = single(given, name);
  if (text === undefined) return otherwise;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new CensusError("bad-input", `parameter '${name}' must be a whole number from ${least} to ${most}`);
}

/**
 * True or false; default: false.
 * @throws CensusError "bad-input" when it is something else
 */
export function flag(given: Given, name: string): boolean {
  const text = single(given, name) ?? "false";
  if (text === "true" || text === "false") return text === "true";
  throw new CensusError("bad-input", `parameter '${name}' must be true or false`);
}

/** @throws CensusError "bad-input" where a parameter has none of the values that it may have */
export function valueOf<Value extends string>(name: string, given: unknown, known: readonly Value[]): Value {
  const found = known.find((each) => each === given);
  if (found !== undefined) return found;
  throw new CensusError("bad-input", `parameter '${name}' must be one of ${known.join(", ")}`);
}

/** The value of a parameter as a property, as {@link valueOf}; none where it is not given. */
export function chosen<Name extends string, Value extends string>(
  given: Given,
  name: Name,
  known: readonly Value[],
): Partial<Record<Name, Value>> {
  const value = single(given, name);
  return (value === undefined ? {} : { [name]: valueOf(name, value, known) }) as Partial<Record<Name, Value>>;
}

function bodyPairs(body: string): (readonly [string, string])[] {
  let content: unknown;
  try {
    content = parseJson(body);
  } catch (error) {
    throw new CensusError("bad-input", `the body is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new CensusError("bad-input", "the body must be a JSON object with the parameters");
  }
  return Object.entries(content).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value])
      // Not given, as in the query API.
      .filter((each: unknown) => each !== null)
      .map((each: unknown) => [name, parameterText(name, each)] as const),
  );
}

function parameterText(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (isNumber(value) || typeof value === "boolean") return stringifyJson(value);
  throw new CensusError("bad-input", `parameter '${name}' must be a text, a number, true or false, or a list of these`);
}
