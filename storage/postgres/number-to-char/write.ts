import { type Decimal, decimalText, romanText, rounded, scientificText, shifted } from "./decimal.ts";
import { MaskError, type NumberKey, type NumberMask } from "./mask.ts";

/** Writes a number as PostgreSQL's `to_char(numeric, mask)` does, in the C locale. */
export function writeNumber(mask: NumberMask, value: Decimal): string {
  if (mask.scientific) {
    const text = scientificText(value, mask.after);
    return text.startsWith("-") ? text : ` ${text}`;
  }
  if (mask.roman) return writeRoman(mask, romanText(value));
  return new NumberWriter(mask, rounded(shifted(value, mask.shift), mask.after)).text();
}

function writeRoman({ parts, fill }: NumberMask, roman: string): string {
  return parts
    .map((part) => {
      if ("text" in part) return part.text;
      if (part.key === "RN" || part.key === "rn") {
        const text = part.key === "rn" ? roman.toLowerCase() : roman;
        return fill ? text : text.padStart(15);
      }
      if (part.key === "MI" || part.key === "PL") return fill ? "" : " ";
      if (part.key === "L") return " ";
      return part.key === "," || part.key === "G" ? (fill ? "" : " ") : "";
    })
    .join("");
}

/** A number that is being written: a digit, a point or a blank for each place of the mask. */
class NumberWriter {
  readonly #mask: NumberMask;
  readonly #isNegative: boolean;
  /** digits and a point; hashes where the number has more digits than the mask has places */
  readonly #number: string;
  /** places of the mask before the first digit */
  readonly #blanks: number;
  /** the last character that is written with FM */
  readonly #last: number | undefined;
  readonly #end: number;
  #out = "";
  #place = 0;
  #at = 0;
  #hasSign: boolean;
  #inNumber = false;

  constructor(mask: NumberMask, value: Decimal) {
    this.#mask = mask;
    this.#isNegative = value.negative;
    const text = decimalText(value);
    const length = text.split(".")[0]?.length ?? 0;
    const isTooLong = length > mask.before;
    this.#number = isTooLong ? `${"#".repeat(mask.before)}.${"#".repeat(mask.after)}` : text;
    this.#blanks = isTooLong ? 0 : mask.before - length;
    this.#hasSign =
      mask.sign === "apart" || (mask.fill && !value.negative && (mask.sign === "plain" || mask.sign === "brackets"));
    this.#last = mask.fill && mask.hasPoint ? this.#lastRelevant() : undefined;
    const signPlace = this.#blanks > 0 || !this.#hasSign ? 1 : 0;
    this.#end = mask.before + mask.after - 1 + signPlace + (mask.hasPoint ? 1 : 0);
  }

  text(): string {
    for (const part of this.#mask.parts) {
      if ("text" in part) this.#out += part.text;
      else this.#key(part.key);
    }
    return this.#out;
  }

  #key(key: NumberKey): void {
    const { fill } = this.#mask;
    if (key === "9" || key === "0" || key === "." || key === "D") this.#digit(key === "0");
    else if (key === "," || key === "G") this.#out += this.#inNumber ? "," : fill ? "" : " ";
    else if (key === "L") this.#out += " ";
    else if (key === "TH" || key === "th") this.#out += this.#ordinal(key);
    else if (key === "MI") this.#out += this.#isNegative ? "-" : fill ? "" : " ";
    else if (key === "PL") this.#out += this.#isNegative ? (fill ? "" : " ") : "+";
    else if (key === "SG") this.#out += this.#isNegative ? "-" : "+";
  }

  #digit(isZero: boolean): void {
    const { fill, zerosFrom, sign } = this.#mask;
    this.#inNumber = false;
    this.#leadingSign();
    const isBeforeZeros = zerosFrom === undefined || zerosFrom > this.#place;
    if (this.#place < this.#blanks && isBeforeZeros) {
      if (!fill) this.#out += " ";
    } else if (this.#place < this.#blanks) {
      this.#out += "0";
      this.#inNumber = true;
    } else {
      this.#character(isZero);
      if (this.#at < this.#number.length) this.#at++;
    }
    const end = this.#last !== undefined && this.#last === this.#at ? this.#place : this.#end;
    if (this.#place + 1 === end) {
      if (sign === "brackets" && this.#hasSign && this.#showsBrackets()) this.#out += this.#isNegative ? ">" : " ";
      else if (sign === "trailing") this.#out += this.#isNegative ? "-" : "+";
    }
    this.#place++;
  }

  /** Written where the number begins, unless the next character is the blank for a zero before the point. */
  #leadingSign(): void {
    const { zerosFrom, sign, fill } = this.#mask;
    const begins = this.#place >= this.#blanks || zerosFrom === this.#place;
    if (this.#hasSign || !begins || (this.#isBlankZero() && !this.#endsWithPoint())) return;
    if (sign === "trailing") return;
    this.#hasSign = true;
    if (sign === "leading") this.#out += this.#isNegative ? "-" : "+";
    else if (sign === "brackets" && this.#showsBrackets()) this.#out += this.#isNegative ? "<" : " ";
    else if (this.#isNegative) this.#out += "-";
    else if (!fill) this.#out += " ";
  }

  #character(isZero: boolean): void {
    const character = this.#number[this.#at] ?? "";
    if (character === ".") {
      this.#out += ".";
    } else if (this.#last !== undefined && this.#at > this.#last && !isZero) {
      return;
    } else if (this.#isBlankZero()) {
      if (!this.#mask.fill) this.#out += " ";
      else if (this.#endsWithPoint()) this.#out += "0";
    } else {
      this.#out += character;
      this.#inNumber = true;
    }
  }

  /** A zero alone before the point is a blank: 0.1 is `  .1`. */
  #isBlankZero(): boolean {
    return this.#mask.zerosFrom === undefined && this.#at === 0 && this.#number.startsWith("0") && this.#mask.after > 0;
  }

  #endsWithPoint(): boolean {
    return this.#last !== undefined && this.#number[this.#last] === ".";
  }

  /** With FM a positive number has no brackets. */
  #showsBrackets(): boolean {
    return this.#isNegative || !this.#mask.fill;
  }

  /** Zeros at the end are omitted, unless the mask has a 0 for them. */
  #lastRelevant(): number | undefined {
    const point = this.#number.indexOf(".");
    if (point < 0) return undefined;
    const last = this.#number.replace(/0+$/, "").length - 1;
    const zero = Math.min(this.#number.length - 1, this.#mask.zerosTo - this.#blanks);
    return Math.max(last, zero, point);
  }

  #ordinal(style: "TH" | "th"): string {
    if (this.#number.startsWith("#") || this.#isNegative || this.#mask.hasPoint) return "";
    const last = this.#number.at(-1) ?? "";
    if (last < "0" || last > "9") throw new MaskError(`"${this.#number}" is not a number`);
    const isTeen = this.#number.at(-2) === "1";
    const ending = isTeen ? "th" : ({ "1": "st", "2": "nd", "3": "rd" }[last] ?? "th");
    return style === "TH" ? ending.toUpperCase() : ending;
  }
}
