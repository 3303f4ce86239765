import { readDecimal } from "./number-to-char/decimal.ts";
import { MaskError, type NumberMask } from "./number-to-char/mask.ts";
import { writeNumber } from "./number-to-char/write.ts";

export { MaskError, readNumberMask } from "./number-to-char/mask.ts";

/**
 * The text that PostgreSQL's `to_char(numeric, mask)` gives, for `to_string` of numbers (`reference/query.md` §6; the
 * masks are those of PostgreSQL's manual, "Template Patterns for Numeric Formatting").
 * @param mask what {@link readNumberMask} made of the mask
 * @param number a number as JSON has it
 * @throws MaskError where PostgreSQL refuses the mask for this number
 */
export function numberToChar(mask: NumberMask, number: string): string {
  const value = readDecimal(number);
  if (value === undefined) throw new MaskError(`invalid input syntax for type numeric: "${number}"`);
  return writeNumber(mask, value);
}
