/** A mask, parsed. */
export interface NumberMask {
  readonly parts: readonly MaskPart[];
  /** digits before and after the point */
  readonly before: number;
  readonly after: number;
  readonly hasPoint: boolean;
  /** FM: no padding */
  readonly fill: boolean;
  /** the place from which zeros precede the number; absent: blanks do */
  readonly zerosFrom?: number;
  /** places up to the last one that has a digit even with FM */
  readonly zerosTo: number;
  readonly sign: SignStyle;
  /** powers of ten that the number is multiplied with */
  readonly shift: number;
  readonly roman: boolean;
  readonly scientific: boolean;
}

/**
 * The place of the sign: before the first digit as blank or minus; `S` there or after the last as plus or minus; `PR`
 * in angle brackets; where `MI`, `PL` or `SG` are, of which `PL` leaves a minus before the number.
 */
export type SignStyle = "plain" | "leading" | "trailing" | "brackets" | "plus only" | "apart";

export type MaskPart = { readonly text: string } | { readonly key: NumberKey };

export type NumberKey = (typeof KEYS)[number];

/** Longer keys come before their prefixes. Only RN and TH have another meaning in lower case. */
const KEYS = [
  ...([",", ".", "0", "9", "B", "C", "D", "EEEE", "FM", "G", "L", "MI", "PL", "PR"] as const),
  ...(["RN", "rn", "SG", "SP", "S", "TH", "th", "V"] as const),
] as const;

/** A mask that PostgreSQL rejects; the message is PostgreSQL's. */
export class MaskError extends Error {}

/** Maximum characters of a mask: the work for each number grows with its length. */
const MAX_MASK_LENGTH = 256;

/** @throws MaskError for keys that cannot be combined, and for a mask of more than 256 characters */
export function readNumberMask(mask: string): NumberMask {
  if (mask.length > MAX_MASK_LENGTH) throw new MaskError(`a mask has at most ${MAX_MASK_LENGTH} characters`);
  const reading = new MaskReader();
  const parts = partsOf(mask);
  for (const part of parts) if ("key" in part) reading.add(part.key);
  return reading.result(parts);
}

/** Text in double quotes is literal, with `\` before a quoted character; outside of quotes `\"` is a double quote. */
function partsOf(mask: string): MaskPart[] {
  const parts: MaskPart[] = [];
  let rest = mask;
  while (rest !== "") {
    const key = keyAt(rest);
    if (key !== undefined) {
      parts.push({ key });
      rest = rest.slice(key.length);
      continue;
    }
    const [all = rest, quoted] = /^"((?:\\.|[^"\\])*)(?:"|\\?$)|^\\"|^./su.exec(rest) ?? [];
    const text = all === '\\"' ? '"' : all.startsWith('"') ? (quoted ?? "").replaceAll(/\\(.)/gsu, "$1") : all;
    parts.push({ text });
    rest = rest.slice(all.length);
  }
  return parts;
}

function keyAt(text: string): NumberKey | undefined {
  return KEYS.find((key) => text.startsWith(key)) ?? KEYS.find((key) => text.startsWith(key.toLowerCase()));
}

class MaskReader {
  #before = 0;
  #after = 0;
  #hasPoint = false;
  #fill = false;
  #zerosFrom: number | undefined;
  #zerosTo = 0;
  /** the digits before `S`; undefined: there is no `S` */
  #signAt: number | undefined;
  #isTrailing = false;
  #minus = false;
  #plus = false;
  #brackets = false;
  #shift: number | undefined;
  #roman = false;
  #scientific = false;
  #blank = false;

  add(key: NumberKey): void {
    if (this.#scientific && key !== "EEEE") throw new MaskError('"EEEE" must be the last pattern used');
    if (key === "9" || key === "0") this.#digit(key);
    else if (key === "." || key === "D") this.#point();
    else if (key === "FM") this.#fill = true;
    else if (key === "RN" || key === "rn") this.#roman = true;
    else if (key === "B") this.#blank ||= this.#before + this.#after === 0;
    else if (key === "V") this.#multiply();
    else if (key === "EEEE") this.#exponent();
    else this.#signed(key);
  }

  result(parts: readonly MaskPart[]): NumberMask {
    return {
      parts,
      before: this.#before + (this.#shift ?? 0),
      after: this.#after,
      hasPoint: this.#hasPoint,
      fill: this.#fill,
      ...(this.#zerosFrom === undefined ? {} : { zerosFrom: this.#zerosFrom }),
      zerosTo: this.#zerosTo,
      sign: this.#style(),
      shift: this.#shift ?? 0,
      roman: this.#roman,
      scientific: this.#scientific,
    };
  }

  #digit(key: "9" | "0"): void {
    if (this.#brackets) throw new MaskError(`"${key}" must be ahead of "PR"`);
    if (key === "9" && this.#shift !== undefined) {
      this.#shift++;
      return;
    }
    if (key === "0" && !this.#hasPoint) this.#zerosFrom ??= this.#before;
    if (this.#hasPoint) this.#after++;
    else this.#before++;
    if (key === "0") this.#zerosTo = this.#before + this.#after;
  }

  #point(): void {
    if (this.#hasPoint) throw new MaskError("multiple decimal points");
    if (this.#shift !== undefined) throw new MaskError('cannot use "V" and decimal point together');
    this.#hasPoint = true;
  }

  #multiply(): void {
    if (this.#hasPoint) throw new MaskError('cannot use "V" and decimal point together');
    this.#shift ??= 0;
  }

  #exponent(): void {
    if (this.#scientific) throw new MaskError('cannot use "EEEE" twice');
    const isAlone =
      !this.#fill && !this.#blank && !this.#roman && this.#shift === undefined && this.#style() === "plain";
    if (!isAlone) throw new MaskError('"EEEE" is incompatible with other formats');
    this.#scientific = true;
  }

  #signed(key: NumberKey): void {
    const hasOther = this.#plus || this.#minus;
    if (key === "S") {
      if (this.#signAt !== undefined) throw new MaskError('cannot use "S" twice');
      if (hasOther || this.#brackets) throw new MaskError('cannot use "S" and "PL"/"MI"/"SG"/"PR" together');
      this.#signAt = this.#before;
      this.#isTrailing = this.#hasPoint;
    } else if (key === "PR") {
      if (this.#signAt !== undefined || hasOther) {
        throw new MaskError('cannot use "PR" and "S"/"PL"/"MI"/"SG" together');
      }
      this.#brackets = true;
    } else if (key === "MI" || key === "PL" || key === "SG") {
      if (this.#signAt !== undefined) throw new MaskError(`cannot use "S" and "${key}" together`);
      this.#minus ||= key !== "PL";
      this.#plus ||= key !== "MI";
    }
  }

  #style(): SignStyle {
    if (this.#signAt !== undefined) {
      return this.#isTrailing || this.#signAt === this.#before + (this.#shift ?? 0) ? "trailing" : "leading";
    }
    if (this.#minus) return "apart";
    if (this.#plus) return "plus only";
    return this.#brackets ? "brackets" : "plain";
  }
}
