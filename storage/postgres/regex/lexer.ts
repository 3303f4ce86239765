import { readBrackets } from "./brackets.ts";
import { ANYTHING, ANYTHING_BUT_NEWLINE, characters } from "./charset.ts";
import { RegexError } from "./error.ts";
import { readEscape } from "./escapes.ts";
import type { Options } from "./options.ts";
import { Reader } from "./reader.ts";
import type { CharSet, Place } from "./tree.ts";

export type Token =
  | { readonly kind: "start" | "end" | "bar" | "close" | "open-capture" | "open" }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "reference"; readonly number: number }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean }
  | { readonly kind: "repeat"; readonly min: number; readonly max: number };

/** What may follow `(?` inside a pattern. */
const OPENINGS: readonly (readonly [text: string, token: Token])[] = [
  ["?:", { kind: "open" }],
  ["?=", { kind: "look", behind: false, negative: false }],
  ["?!", { kind: "look", behind: false, negative: true }],
  ["?<=", { kind: "look", behind: true, negative: false }],
  ["?<!", { kind: "look", behind: true, negative: true }],
];

const WORD_BRACKETS: readonly (readonly [text: string, token: Token])[] = [
  ["[:<:]]", { kind: "place", place: "word-start" }],
  ["[:>:]]", { kind: "place", place: "word-end" }],
];

const ANY_NUMBER: Token = { kind: "repeat", min: 0, max: Infinity };
const REPEATS: Readonly<Record<string, Token>> = {
  "*": ANY_NUMBER,
  "+": { kind: "repeat", min: 1, max: Infinity },
  "?": { kind: "repeat", min: 0, max: 1 },
};

/**
 * Splits a pattern into tokens on demand: the kind of a token depends on the groups before it, and the first of two
 * errors must be reported.
 */
export class Lexer {
  /** The number of capturing groups that the parser has opened so far. */
  groups = 0;
  readonly #reader: Reader;
  readonly #options: Options;
  /** the token before, which decides the meaning of `*` and `^` in a basic regular expression */
  #last: Token["kind"] = "start";

  constructor(text: string, options: Options) {
    this.#reader = new Reader(text);
    this.#options = options;
  }

  /** @throws RegexError when there is no valid token */
  next(): Token {
    const token = this.#read();
    this.#last = token.kind;
    return token;
  }

  #read(): Token {
    const { syntax } = this.#options;
    this.#skipBlanks();
    if (syntax === "advanced") while (this.#skipComment()) this.#skipBlanks();
    if (this.#reader.done) return { kind: "end" };
    const character = this.#reader.next();
    if (syntax === "literal") return this.#plain(character);
    const shared = this.#readShared(character);
    return shared ?? (syntax === "basic" ? this.#readBasic(character) : this.#readExtended(character));
  }

  /** Tokens of all kinds of regular expression. */
  #readShared(character: string): Token | undefined {
    if (character === ".") return { kind: "set", set: this.#options.newlineStops ? ANYTHING_BUT_NEWLINE : ANYTHING };
    if (character === "\\" && this.#reader.done) throw new RegexError("escape");
    if (character !== "[") return undefined;
    for (const [text, token] of WORD_BRACKETS) if (this.#reader.eat(text)) return token;
    return { kind: "set", set: readBrackets(this.#reader, this.#options, this.groups) };
  }

  #readExtended(character: string): Token {
    const advanced = this.#options.syntax === "advanced";
    const repeat = REPEATS[character];
    if (repeat) return this.#greedyOrNot(repeat);
    switch (character) {
      case "|":
        return { kind: "bar" };
      case ")":
        return { kind: "close" };
      case "^":
        return this.#lineEdge("start");
      case "$":
        return this.#lineEdge("end");
      case "(":
        return advanced && this.#reader.sees("?") ? this.#readOpening() : { kind: "open-capture" };
      case "{":
        this.#skipBlanks();
        return /\d/.test(this.#reader.peek()) ? this.#greedyOrNot(this.#readBound("}")) : this.#plain(character);
      case "\\": {
        if (!advanced) return this.#plain(this.#reader.next());
        const escape = readEscape(this.#reader, this.groups);
        if (escape.kind === "class") return { kind: "set", set: escape.set };
        return escape.kind === "character" ? this.#character(escape.code) : escape;
      }
      default:
        return this.#plain(character);
    }
  }

  #readBasic(character: string): Token {
    const atStart = this.#last === "start" || this.#last === "open-capture";
    if (character === "*") return atStart ? this.#plain("*") : ANY_NUMBER;
    if (character === "^") return atStart ? this.#lineEdge("start") : this.#plain("^");
    if (character === "$") {
      this.#skipBlanks();
      return this.#reader.done || this.#reader.sees("\\)") ? this.#lineEdge("end") : this.#plain("$");
    }
    if (character !== "\\") return this.#plain(character);
    const escaped = this.#reader.next();
    if (/[1-9]/.test(escaped)) return { kind: "reference", number: Number(escaped) };
    switch (escaped) {
      case "(":
        return { kind: "open-capture" };
      case ")":
        return { kind: "close" };
      case "{":
        return this.#readBound("\\}");
      case "<":
        return { kind: "place", place: "word-start" };
      case ">":
        return { kind: "place", place: "word-end" };
      default:
        return this.#plain(escaped);
    }
  }

  #readOpening(): Token {
    for (const [text, token] of OPENINGS) if (this.#reader.eat(text)) return token;
    throw new RegexError("operand");
  }

  /** Reads the rest of `{m}`, `{m,}` or `{m,n}`. */
  #readBound(closing: string): Token {
    const min = this.#readCount();
    const comma = this.#readBoundPart(",");
    const max = comma && /\d/.test(this.#reader.peek()) ? this.#readCount() : comma ? Infinity : min;
    if (!this.#readBoundPart(closing)) throw new RegexError(this.#reader.done ? "braces" : "repetition");
    if (min > max) throw new RegexError("repetition");
    return { kind: "repeat", min, max };
  }

  #readCount(): number {
    const count = Number(this.#reader.takeWhile(/\d/));
    // The maximum count in `{m,n}`.
    if (count > 255) throw new RegexError("repetition");
    return count;
  }

  #readBoundPart(text: string): boolean {
    this.#skipBlanks();
    const found = this.#reader.eat(text);
    if (found && text === ",") this.#skipBlanks();
    return found;
  }

  /** Skips the `?` that makes a quantifier non-greedy. */
  #greedyOrNot(token: Token): Token {
    if (this.#options.syntax === "advanced") this.#reader.eat("?");
    return token;
  }

  #lineEdge(edge: "start" | "end"): Token {
    return { kind: "place", place: this.#options.newlineAnchors ? `line-${edge}` : `text-${edge}` };
  }

  #plain(character: string): Token {
    return this.#character(character.codePointAt(0) ?? 0);
  }

  #character(code: number): Token {
    return { kind: "set", set: characters(code, code, this.#options.ignoreCase) };
  }

  /** Skips one `(?#…)`, closed or not. */
  #skipComment(): boolean {
    if (!this.#reader.eat("(?#")) return false;
    this.#reader.takeWhile(/[^)]/);
    this.#reader.eat(")");
    return true;
  }

  /** In expanded syntax, skips white space and `#` comments. */
  #skipBlanks(): void {
    if (!this.#options.expanded) return;
    this.#reader.takeWhile(/\s/);
    while (this.#reader.eat("#")) {
      this.#reader.takeWhile(/[^\n]/);
      this.#reader.takeWhile(/\s/);
    }
  }
}
