import { NAME_RULES } from "./advice-names.ts";
import { PLACE_RULES } from "./advice-places.ts";
import { WORD_RULES } from "./advice-words.ts";
import type { ParseFailure } from "./parse-failure.ts";
import { foundText } from "./parse-failure.ts";

/** Rules for names and signs come before rules that fit any error at a place. */
const RULES = [...NAME_RULES, ...WORD_RULES, ...PLACE_RULES];

/** One plain sentence: what was found and, if a rule applies, what to write instead. */
export function advise(failure: ParseFailure): string {
  for (const rule of RULES) {
    const advice = rule(failure);
    if (advice !== undefined) return advice;
  }
  return `${foundText(failure)} where one of the above is expected.`;
}
