import vm from "node:vm";

/** The first of the texts took longer than the time that was given. */
export class MatchTimeout extends Error {
  constructor() {
    super("regular expression matching took longer than was allowed");
    this.name = "MatchTimeout";
  }
}

/** Texts that are matched between two looks at the clock. */
const LOOK = 64;

/**
 * Matches texts in order until the time is up: the JavaScript engine backtracks, so a pattern and a text can be found that
 * keep it busy for hours. A call costs about half a millisecond beside the matching.
 * @param from the first text to match
 * @param limitMs milliseconds
 * @returns a 1 or a 0 for each text that was matched, at least for one
 * @throws MatchTimeout when not even the first could be matched in that time
 */
export function matchWithin(regexp: RegExp, subjects: readonly string[], from: number, limitMs: number): string {
  let matches = "";
  const until = performance.now() + limitMs;
  const match = (): void => {
    for (let at = from; at < subjects.length; at++) {
      matches += regexp.test(subjects[at] ?? "") ? "1" : "0";
      if (at % LOOK === 0 && performance.now() > until) return;
    }
  };
  try {
    vm.runInContext("match()", vm.createContext({ match }), { timeout: Math.max(1, Math.ceil(limitMs)) });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    if (matches === "") throw new MatchTimeout();
  }
  return matches;
}
