import type { ComponentChildren } from "preact";
import { escapePattern } from "../pql/text.ts";
import { marked } from "./value.tsx";

/** Whether a text contains another one, ignoring case; every text contains the empty one. */
export function holds(text: string, needle: string): boolean {
  return text.toLowerCase().includes(needle.toLowerCase());
}

/** A text with what was searched for marked. */
export function highlighted(text: string, ...needles: readonly string[]): ComponentChildren {
  const wanted = needles.filter((needle) => needle !== "").map(escapePattern);
  if (wanted.length === 0) return marked(text);
  const pattern = new RegExp(`(${wanted.join("|")})`, "iu");
  // Splitting by a group puts the hits at the odd places.
  return text.split(pattern).map((part, index) =>
    // Parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key -- see above
    index % 2 === 1 ? <mark key={index}>{marked(part)}</mark> : marked(part),
  );
}
