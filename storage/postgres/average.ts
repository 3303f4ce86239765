/**
 * PostgreSQL computes at least this many significant digits of a quotient, counted in groups of four decimal digits.
 */
const SIGNIFICANT_DIGITS = 16;
const GROUP = 4;

/**
 * The average of decimal numbers as PostgreSQL's `numeric` prints it: exact division with the decimals of its
 * `select_div_scale`, including trailing zeros; `18.6792452830188679` for 990 / 53.
 * @param sum a decimal number without exponent
 * @param count the number of summands; at least 1
 */
export function numericAverage(sum: string, count: bigint): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(sum) ?? [];
  const scale = quotientScale(whole, fraction, count);
  const numerator = BigInt(whole + fraction) * 10n ** BigInt(scale);
  const denominator = count * 10n ** BigInt(fraction.length);
  // Halves are rounded away from zero.
  const digits = ((numerator * 2n + denominator) / (denominator * 2n)).toString().padStart(scale + 1, "0");
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return sign === "-" && /[1-9]/.test(text) ? `-${text}` : text;
}

/** The number of decimals of a quotient: enough significant digits, and at least those of the dividend. */
function quotientScale(whole: string, fraction: string, count: bigint): number {
  const dividend = leadingGroup(whole, fraction);
  const divisor = leadingGroup(count.toString(), "");
  const weight = dividend.weight - divisor.weight - (dividend.group <= divisor.group ? 1 : 0);
  return Math.max(SIGNIFICANT_DIGITS - weight * GROUP, fraction.length, 0);
}

/** The first group of four digits that is not zero, and its place: 0 is the group left of the point. */
function leadingGroup(whole: string, fraction: string): { group: number; weight: number } {
  const padded = whole.padStart(Math.ceil(whole.length / GROUP) * GROUP, "0");
  const digits = padded + fraction.padEnd(Math.ceil(fraction.length / GROUP) * GROUP, "0");
  for (let at = 0; at < digits.length; at += GROUP) {
    const group = Number(digits.slice(at, at + GROUP));
    if (group > 0) return { group, weight: padded.length / GROUP - 1 - at / GROUP };
  }
  return { group: 0, weight: 0 };
}
