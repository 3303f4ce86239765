import { nearestWords } from "#storage/nearest-words.ts";
import { UsageError } from "./errors.ts";

/**
 * The error for an unknown name, with the closest known one or a hint where all are listed.
 * @param where prefix of the message, e.g. `serve: `
 * @param kind e.g. `option`
 */
export function unknownName(
  where: string,
  kind: string,
  given: string,
  names: readonly string[],
  otherwise: string,
): UsageError {
  const [suggestion] = nearestWords(given, names, 1);
  const quoted = /^[-\\]/.test(given) ? given : JSON.stringify(given);
  return new UsageError(
    `${where}unknown ${kind} ${quoted}; ${suggestion === undefined ? otherwise : `did you mean ${suggestion}?`}`,
  );
}
