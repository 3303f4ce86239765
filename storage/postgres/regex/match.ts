import vm from "node:vm";

/** Matching the first text exceeded the time limit. */
export class MatchTimeout extends Error {
  constructor() {
    super("regular expression matching took longer than was allowed");
    this.name = "MatchTimeout";
  }
}

/**
 * Matches texts in order within a time limit: the JavaScript engine backtracks, so a pattern and a text can keep it
 * busy for hours. A call costs about half a millisecond in addition to matching.
 * @param from the index of the first text
 * @param limitMs milliseconds
 * @returns a 1 or a 0 for each text that was matched, at least one
 * @throws MatchTimeout when even the first text exceeds the limit
 */
export function matchWithin(regexp: RegExp, subjects: readonly string[], from: number, limitMs: number): string {
  let matches = "";
  const until = performance.now() + limitMs;
  const match = (): void => {
    for (let at = from; at < subjects.length; at++) {
      matches += regexp.test(subjects[at] ?? "") ? "1" : "0";
      if (at % 64 === 0 && performance.now() > until) return;
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
