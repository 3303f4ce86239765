import { and, escapePattern, literal } from "../pql/text.ts";

/** Signs that PQL conditions have and names of nodes do not. */
const SIGNS = /[=<>~!"'{}()[\]]|\bis\s+(?:not\s+)?null\b/i;

/**
 * The condition in PQL that a text in the filter line means: itself, or that a field contains each of its words.
 * @param field the field in which plain words are searched: `certname`
 */
export function lineCondition(text: string, field: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  if (!isWords(trimmed)) return trimmed;
  return and(...trimmed.split(/\s+/).map((word) => `${field} ~ ${literal(escapePattern(word))}`));
}

/** Whether a text consists of words to search for, rather than PQL. */
export function isWords(text: string): boolean {
  return !SIGNS.test(text);
}
