/** The greatest length that one character of a key represents. */
const STEP = 64;

/**
 * A key of a whole number of any length: keys compare bytewise as the numbers do.
 * @param digits decimal digits; none is 0
 */
export function numberKey(digits: string): string {
  const significant = digits.replace(/^0+/, "");
  const { length } = significant;
  // Longer numbers are greater: one character for the length, after one `~` for every 64 digits.
  return "~".repeat(Math.floor(length / STEP)) + String.fromCharCode(0x30 + (length % STEP)) + significant;
}
