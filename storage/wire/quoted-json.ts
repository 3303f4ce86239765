import { BACKSLASH, QUOTE } from "./json-bytes.ts";

const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** The bytes of a byte order mark. */
const MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/** Whether a payload is one text, which may contain the JSON of the command, as in old versions. */
export function isQuotedJson(payload: Uint8Array): boolean {
  return payload.find((byte) => !isBefore(byte)) === QUOTE;
}

function isBefore(byte: number): boolean {
  return SPACES.has(byte) || MARK.has(byte);
}

/** Escapes that are something other than the escaped character itself; for what is surveyed only their kind counts. */
const ESCAPED_SPACES: ReadonlySet<number> = new Set(Buffer.from("bfnrt"));
const SPACE = 0x20;
const UNICODE = "u".charCodeAt(0);
const DIGITS = 4;
const NOTHING = new Uint8Array();
const OTHER = "?".charCodeAt(0);

/**
 * Unpacks a text that contains JSON, in pieces, as far as its structure counts: characters beyond ASCII that are escaped
 * become `?`. What is not a text has no contents.
 */
export class QuotedJson {
  #state: "before" | "inside" | "escape" | "after" = "before";
  /** The digits of `\u` so far. */
  #digits: string | undefined;

  /** The contents of the text within the next bytes. */
  add(bytes: Uint8Array): Uint8Array {
    if (this.#state === "after") return NOTHING;
    const contents = new Uint8Array(bytes.length);
    let length = 0;
    for (const byte of bytes) {
      const found = this.#next(byte);
      if (found !== undefined) contents[length++] = found;
    }
    return contents.subarray(0, length);
  }

  #next(byte: number): number | undefined {
    if (this.#digits !== undefined) return this.#digit(byte);
    switch (this.#state) {
      case "before":
        if (!isBefore(byte)) this.#state = byte === QUOTE ? "inside" : "after";
        return undefined;
      case "escape":
        this.#state = "inside";
        if (byte === UNICODE) this.#digits = "";
        else return ESCAPED_SPACES.has(byte) ? SPACE : byte;
        return undefined;
      case "inside":
        if (byte === QUOTE) this.#state = "after";
        else if (byte === BACKSLASH) this.#state = "escape";
        else return byte;
        return undefined;
      case "after":
        return undefined;
    }
  }

  #digit(byte: number): number | undefined {
    const digits = (this.#digits ?? "") + String.fromCharCode(byte);
    this.#digits = digits.length < DIGITS ? digits : undefined;
    if (digits.length < DIGITS) return undefined;
    const code = Number.parseInt(digits, 16);
    return code < 0x80 ? code : OTHER;
  }
}
