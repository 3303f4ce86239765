import { beginning } from "../value/text.ts";

/** Characters that are shown of a value. */
const SHOWN = 300;
/** Characters before the word that was searched for. */
const BEFORE = 80;

/** The part of a text around the first word that it has. */
export function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= SHOWN) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - BEFORE);
  const start = places.length === 0 || from < BEFORE ? 0 : from;
  const shown = beginning(text.slice(start), SHOWN).toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${start + shown.length < text.length ? "…" : ""}`;
}
