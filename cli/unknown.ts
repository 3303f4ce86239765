import { closest } from "#app/settings/closest.ts";
import { UsageError } from "./errors.ts";

/**
 * What is said of a word that stands for nothing: the one that was probably meant, else where all are listed.
 * @param where who says so, e.g. `serve: `
 * @param kind e.g. `option`
 */
export function unknownWord(
  where: string,
  kind: string,
  word: string,
  known: readonly string[],
  otherwise: string,
): UsageError {
  const near = closest(word, known);
  const shown = /^[-\\]/.test(word) ? word : JSON.stringify(word);
  return new UsageError(
    `${where}unknown ${kind} ${shown}; ${near === undefined ? otherwise : `did you mean ${near}?`}`,
  );
}
