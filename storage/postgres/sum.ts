import { decimal } from "../jsonb/text.ts";
import { exactNumber } from "../json.ts";

/** Maximum digits of PostgreSQL's `numeric` before and after the point. */
const MAX_DIGITS = { before: 131_072, behind: 16_383 } as const;

/** A number exceeds the range of PostgreSQL's `numeric`. */
export class NumericOverflow extends Error {
  constructor() {
    super("value overflows numeric format: some of the values cannot be added");
    this.name = "NumericOverflow";
  }
}

/**
 * The exact sum of numbers, without an exponent and without trailing zeros: a valid number of JSON, however large.
 * @param numbers in JSON's spelling
 * @throws NumericOverflow
 */
export function numericSum(numbers: readonly string[]): string {
  const terms = numbers.map((text) => {
    const { negative, digits, exponent } = decimal(exactNumber(text));
    return { digits: `${negative ? "-" : ""}${digits === "" ? "0" : digits}`, scale: digits.length - exponent };
  });
  const scale = terms.reduce((most, term) => Math.max(most, term.scale), 0);
  const least = terms.reduce((fewest, term) => Math.min(fewest, term.scale), 0);
  if (scale > MAX_DIGITS.behind || -least > MAX_DIGITS.before) throw new NumericOverflow();
  const sum = terms.reduce((total, term) => total + BigInt(term.digits) * 10n ** BigInt(scale - term.scale), 0n);
  const text = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, "0");
  const whole = scale === 0 ? text : text.slice(0, -scale);
  const fraction = scale === 0 ? "" : text.slice(-scale).replace(/0+$/, "");
  return `${sum < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
