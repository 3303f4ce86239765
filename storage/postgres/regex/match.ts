import vm from "node:vm";
import { CensusError } from "#storage/errors.ts";

/**
 * Whether `regexp` matches each of `subjects`, in order, within a limit of time: the JavaScript engine backtracks, so a
 * pattern and a text can be found that keep it busy for hours. A call costs about half a millisecond beside the
 * matching; ask for many subjects at once.
 * @param limitMs milliseconds allowed for all of them together
 * @throws CensusError "timeout"
 */
export function matchSubjects(regexp: RegExp, subjects: readonly string[], limitMs: number): boolean[] {
  const context = vm.createContext({ test: () => subjects.map((subject) => regexp.test(subject)) });
  try {
    return vm.runInContext("test()", context, { timeout: Math.max(1, Math.ceil(limitMs)) }) as boolean[];
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    throw new CensusError("timeout", `regular expression matching took longer than ${limitMs} ms`, { cause: error });
  }
}
