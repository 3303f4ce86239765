import { pqlString } from "../query/pql/string-text.ts";

/** A condition that is met where every word occurs in one of the fields, in upper or lower case. */
export function containsAll(words: readonly string[], ...fields: readonly string[]): string {
  return words.map((word) => `(${fields.map((field) => contains(field, word)).join(" or ")})`).join(" and ");
}

/** A condition that is met where at least one word occurs in the field. */
export function containsAny(words: readonly string[], field: string): string {
  return `(${words.map((word) => contains(field, word)).join(" or ")})`;
}

function contains(field: string, word: string): string {
  return `${field} ~ ${pqlString(`(?i)${word.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")}`)}`;
}

/** Whether every word occurs in the text. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word.toLowerCase()));
}

/** The words of a text: what blanks part, and what is between double quotes. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"?|([^\s"]+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? "")
    .filter((word) => word.trim() !== "");
}

/** Words that are written alike in a text and in JSON of it. */
const PLAIN = /^[!#-+.-9;-Z^-z|~-]+$/;

/** Whether the word occurs in a text exactly when it occurs in JSON of the text. */
export function isPlain(word: string): boolean {
  return PLAIN.test(word);
}

/** Whether every word may occur in the values of a row that is JSON text: quick, for rows that are not parsed yet. */
export function mayHaveAll(row: string, words: readonly string[]): boolean {
  return hasAll(row, words.filter(isPlain));
}
