/** A syntax error, as far as it matters for saying what to write instead. */
export interface Mistake {
  readonly text: string;
  /** where the error is, counted from 0 */
  readonly index: number;
  /** the word or sign at the index; empty at the end of the text */
  readonly found: string;
  /** the labels of the terminals that could have stood there */
  readonly expected: readonly string[];
}

/** Says what to write instead, or undefined when the mistake is not the one the rule knows. */
export type Rule = (mistake: Mistake) => string | undefined;

/** A word of the query in a sentence. */
export function quote(text: string): string {
  return `“${text}”`;
}

/** The beginning of a sentence that says what stands in the wrong place. */
export function whatWasFound({ found }: Mistake): string {
  if (found === "") return "The query ends";
  return found.trim() === "" ? "Found white space" : `Found ${quote(found)}`;
}
