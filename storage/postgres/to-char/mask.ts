import { dateFields } from "./fields.ts";
import type { DateField } from "./fields.ts";

/** One keyword of a mask with its modifiers. */
export interface MaskField {
  readonly field: DateField;
  /** FM: no padding */
  readonly fill: boolean;
  /** TM: a name in the local language */
  readonly translated: boolean;
  readonly ordinal: "TH" | "th" | undefined;
}

const LONGEST_KEYWORD = Math.max(...Object.keys(dateFields).map((keyword) => keyword.length));

/**
 * Splits a mask into keywords and the text between them, as PostgreSQL does: one `FM` or `TM` before a keyword, `TH`,
 * `th` or `SP` (which does nothing) after it; text in double quotes is literal, with `\` before a quoted character;
 * outside of quotes `\"` is a double quote. Any other text is literal.
 */
export function readMask(mask: string): (MaskField | string)[] {
  const parts: (MaskField | string)[] = [];
  const addText = (text: string): void => {
    const last = parts.at(-1);
    if (typeof last === "string") parts[parts.length - 1] = last + text;
    else if (text !== "") parts.push(text);
  };
  let rest = mask;
  while (rest !== "") {
    const prefix = /^(?:FM|fm|TM|tm)/.exec(rest)?.[0] ?? "";
    rest = rest.slice(prefix.length);
    const keyword = keywordAt(rest);
    const field = keyword === undefined ? undefined : dateFields[keyword];
    if (keyword !== undefined && field) {
      rest = rest.slice(keyword.length);
      const suffix = /^(?:TH|th|SP)/.exec(rest)?.[0] ?? "";
      rest = rest.slice(suffix.length);
      const ordinal = suffix === "TH" || suffix === "th" ? suffix : undefined;
      const upper = prefix.toUpperCase();
      parts.push({ field, fill: upper === "FM", translated: upper === "TM", ordinal });
    } else {
      const [taken, text] = readText(rest);
      addText(text);
      rest = rest.slice(taken);
    }
  }
  return parts;
}

/** The longest keyword that `text` begins with. */
function keywordAt(text: string): string | undefined {
  for (let length = Math.min(LONGEST_KEYWORD, text.length); length > 0; length--) {
    const candidate = text.slice(0, length);
    if (Object.hasOwn(dateFields, candidate)) return candidate;
  }
  return undefined;
}

/** A quoted text (its end may be missing) or one character: its length in the mask, and the text. */
function readText(text: string): [taken: number, text: string] {
  const quoted = /^"((?:\\.|[^"])*)"?/su.exec(text);
  if (quoted) return [quoted[0].length, (quoted[1] ?? "").replace(/\\(.)/gsu, "$1")];
  if (text.startsWith('\\"')) return [2, '"'];
  const [character = ""] = Array.from(text);
  return [character.length, character];
}
