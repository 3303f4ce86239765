import { closest } from "#app/settings/closest.ts";
import { UsageError } from "./errors.ts";

/**
 * What is said of a word that stands for nothing: the one that was probably meant, else where all are listed.
 * @param where who says so, e.g. `serve: `
 * @param kind e.g. `option`
 */
export function unknownName(
  where: string,
  kind: string,
  given: string,
  names: readonly string[],
  otherwise: string,
): UsageError {
  const suggestion = closest(given, names);
  const quoted = /^[-\\]/.test(given) ? given : JSON.stringify(given);
  return new UsageError(
    `${where}unknown ${kind} ${quoted}; ${suggestion === undefined ? otherwise : `did you mean ${suggestion}?`}`,
  );
}
