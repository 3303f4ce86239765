/** A syntax error, with what the rules of advice need. */
export interface ParseFailure {
  readonly text: string;
  /** where the error is, counted from 0 */
  readonly index: number;
  /** the word or sign at the index; empty at the end of the text */
  readonly found: string;
  /** the labels of the terminals that were possible there */
  readonly expected: readonly string[];
}

/** Says what to write instead; undefined when the rule does not apply. */
export type Rule = (failure: ParseFailure) => string | undefined;

/** A word of the query in a sentence. */
export function quote(text: string): string {
  return `“${text}”`;
}

/** The beginning of a sentence that names what was found. */
export function foundText({ found }: ParseFailure): string {
  if (found === "") return "The query ends";
  return found.trim() === "" ? "Found white space" : `Found ${quote(found)}`;
}
