/** A decimal number: a whole number of digits, the last `scale` of which are after the point. */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * @param text a number in JSON's spelling
 * @returns undefined for anything else, and for a number beyond the range of `numeric`
 */
export function readDecimal(text: string): Decimal | undefined {
  const match = /^(?<sign>[-+]?)(?<whole>\d+)(?:\.(?<part>\d+))?(?:[eE](?<exponent>[-+]?\d+))?$/.exec(text);
  if (match === null) return undefined;
  const { sign, whole = "", part = "", exponent = "0" } = match.groups ?? {};
  // PostgreSQL's `numeric` has at most as many digits before the point, and fewer after it.
  if (Math.abs(Number(exponent)) + whole.length + part.length > 131_072) return undefined;
  const scale = part.length - Number(exponent);
  const digits = BigInt(whole + part);
  return {
    negative: sign === "-",
    digits: scale < 0 ? digits * 10n ** BigInt(-scale) : digits,
    scale: Math.max(scale, 0),
  };
}

/** The number multiplied with a power of ten. */
export function shifted({ negative, digits, scale }: Decimal, power: number): Decimal {
  return { negative, digits: digits * 10n ** BigInt(power), scale };
}

/** Rounds to `places` digits after the point, halves away from zero, with trailing zeros. Zero has no sign. */
export function rounded({ negative, digits, scale }: Decimal, places: number): Decimal {
  const by = 10n ** BigInt(Math.abs(places - scale));
  const result = places >= scale ? digits * by : (digits * 2n + by) / (by * 2n);
  return { negative: negative && result !== 0n, digits: result, scale: places };
}

/** Its digits without a sign, at least one before the point. */
export function decimalText({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, "0");
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** `1.23e+03`, with `places` digits after the point; the sign only where it is negative. */
export function scientificText(value: Decimal, places: number): string {
  const length = value.digits.toString().length;
  let exponent = value.digits === 0n ? 0 : length - 1 - value.scale;
  const one = value.digits === 0n ? { ...value, scale: 0 } : { ...value, scale: length - 1 };
  let mantissa = rounded(one, places);
  if (mantissa.digits >= 10n ** BigInt(places + 1)) {
    mantissa = { ...mantissa, digits: mantissa.digits / 10n };
    exponent++;
  }
  const power = Math.abs(exponent).toString().padStart(2, "0");
  return `${mantissa.negative ? "-" : ""}${decimalText(mantissa)}e${exponent < 0 ? "-" : "+"}${power}`;
}

const ROMAN: readonly (readonly [value: number, text: string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

/** The number in Roman numerals; hashes where there are none. */
export function romanText(value: Decimal): string {
  const { negative, digits } = rounded(value, 0);
  if (negative || digits < 1n || digits > 3999n) return "#".repeat(15);
  let rest = Number(digits);
  let text = "";
  for (const [worth, letters] of ROMAN) {
    for (; rest >= worth; rest -= worth) text += letters;
  }
  return text;
}
