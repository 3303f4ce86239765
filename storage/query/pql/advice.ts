import { NAME_RULES } from "./advice-names.ts";
import { PLACE_RULES } from "./advice-places.ts";
import { WORD_RULES } from "./advice-words.ts";
import type { Mistake } from "./mistake.ts";
import { whatWasFound } from "./mistake.ts";

/** What is told by a name or a sign comes before what fits any mistake at a place. */
const RULES = [...NAME_RULES, ...WORD_RULES, ...PLACE_RULES];

/** One plain sentence that says what was found and, where that can be told, what to write instead. */
export function advise(mistake: Mistake): string {
  for (const rule of RULES) {
    const advice = rule(mistake);
    if (advice !== undefined) return advice;
  }
  return `${whatWasFound(mistake)} where one of the above has to stand.`;
}
