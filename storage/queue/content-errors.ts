import { CensusError, messageOf } from "../errors.ts";

/** The engine's errors about values. */
const OF_VALUES =
  /^(?:Invalid Input|Invalid type|Out of Range|Conversion|Cast|Decimal|Mismatch Type|Constraint) Error: /i;

/** Whether storing a command fails because of its content: then it fails wherever it is tried. */
export function isOfContent(error: unknown): boolean {
  if (error instanceof CensusError) return error.code === "bad-input";
  return error instanceof TypeError || (error instanceof Error && OF_VALUES.test(messageOf(error)));
}
