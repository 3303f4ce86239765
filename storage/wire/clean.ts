import { type Json, isExactNumber } from "../json.ts";

/** Deeper documents are rejected, so that functions that walk a document may be recursive. */
export const MAX_DOCUMENT_DEPTH = 1000;

const UNCLEAN = /[\0\ud800-\udfff]/;

/**
 * A text as it is stored: U+0000 becomes U+FFFD, a lone surrogate `?`, as in PuppetDB, whose database can store neither
 * (reference/commands.md §2.5).
 */
export function cleanText(text: string): string {
  if (!UNCLEAN.test(text)) return text;
  return text.replaceAll("\0", "\ufffd").replace(/[\ud800-\udfff]/gu, "?");
}

/** `value` with every string and key cleaned by {@link cleanText}; the value itself when nothing changes. */
export function cleanJson(value: Json): Json {
  return survey(value, 0) === CLEAN ? value : rebuilt(value);
}

/** Whether lists and objects are nested deeper than {@link MAX_DOCUMENT_DEPTH} levels. */
export function isTooDeep(value: Json): boolean {
  return survey(value, 0) === TOO_DEEP;
}

/**
 * The results of {@link cleanJson} and {@link isTooDeep}, in one walk.
 * @returns undefined when the value is too deep
 */
export function cleanUnlessTooDeep(value: Json): Json | undefined {
  const found = survey(value, 0);
  if (found === CLEAN) return value;
  return found === UNCLEAN_INSIDE ? rebuilt(value) : undefined;
}

const CLEAN = 0;
const UNCLEAN_INSIDE = 1;
const TOO_DEEP = 2;

// Almost every document is clean, so the first walk only checks, without allocating anything.
function survey(value: Json, depth: number): number {
  if (typeof value === "string") return UNCLEAN.test(value) ? UNCLEAN_INSIDE : CLEAN;
  if (typeof value !== "object" || value === null) return CLEAN;
  if (depth >= MAX_DOCUMENT_DEPTH) return TOO_DEEP;
  let worst = CLEAN;
  if (Array.isArray(value)) {
    for (const element of value) worst = Math.max(worst, survey(element, depth + 1));
    return worst;
  }
  if (isExactNumber(value)) return CLEAN;
  for (const key in value) {
    if (UNCLEAN.test(key)) worst = Math.max(worst, UNCLEAN_INSIDE);
    worst = Math.max(worst, survey(value[key] as Json, depth + 1));
  }
  return worst;
}

function rebuilt(value: Json): Json {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null || isExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map(rebuilt);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanText(key), rebuilt(inner)]));
}
