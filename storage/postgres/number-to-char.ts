import { readDecimal } from "./number-to-char/decimal.ts";
import { MaskError, type NumberMask } from "./number-to-char/mask.ts";
import { writeNumber } from "./number-to-char/write.ts";

export { MaskError, readNumberMask } from "./number-to-char/mask.ts";

/**
 * The text of PostgreSQL's `to_char(numeric, mask)`, for `to_string` of numbers (`reference/query.md` §6; the masks are
 * those of PostgreSQL's manual, "Template Patterns for Numeric Formatting").
 * @param mask the result of {@link readNumberMask}
 * @param number a number in JSON's spelling
 * @throws MaskError where PostgreSQL rejects the mask for this number
 */
export function numberToChar(mask: NumberMask, number: string): string {
  const value = readDecimal(number);
  if (value === undefined) throw new MaskError(`invalid input syntax for type numeric: "${number}"`);
  return writeNumber(mask, value);
}
