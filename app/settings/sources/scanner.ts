/** A syntax error in a file of HOCON, and its place. */
export class SyntaxProblem extends Error {
  /** From 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = "SyntaxProblem";
    this.line = line;
  }
}

/** `"…"` with JSON's escapes. */
const QUOTED = /"(?:[^"\\\n]|\\.)*"/y;
/** `"""…"""`: without escapes. */
const TRIPLE = /"""([^]*?)"""(?!")/y;
/** The characters of a bare text or a bare name. */
const BARE = /(?:[^\s$"{}[\]:=,+#`^?!@*&\\/]|\/(?!\/))+/y;
const SPACES = /[^\S\n]+/y;
/** `include` and what it names: a quoted file, or one in `file(…)`, perhaps in `required(…)`. */
const INCLUDE =
  /include(?=[^\S\n"]|"|$)[^\S\n]*(?!\s*[=:{.])(?<required>required\([^\S\n]*)?(?:(?<kind>\w+)\([^\S\n]*)?(?<file>"(?:[^"\\\n]|\\.)*")?(?:[^\S\n]|\))*/y;
const COMMENT = /(?:#|\/\/)[^\n]*/y;

/** Reads a text of HOCON, a token at a time. */
export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text.replace(/^\u{feff}/u, "").replaceAll(/\r\n?/g, "\n");
  }

  get ended(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The current line, from 1. */
  get line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  problem(message: string): SyntaxProblem {
    return new SyntaxProblem(message, this.line);
  }

  sees(token: string): boolean {
    return this.#text.startsWith(token, this.#at);
  }

  /** Reads `token` if it is next; returns whether it was. */
  take(token: string): boolean {
    const seen = this.sees(token);
    if (seen) this.#at += token.length;
    return seen;
  }

  skipSpaces(): void {
    this.#match(SPACES);
  }

  /** Skips spaces, line ends and comments, and `separator`. */
  skipBlank(separator = "\n"): void {
    while (
      this.#match(SPACES) !== undefined ||
      this.take("\n") ||
      this.take(separator) ||
      this.#match(COMMENT) !== undefined
    );
  }

  /** A name: its parts, separated by dots outside of quotes. */
  readName(): string[] {
    const parts: string[] = [];
    for (;;) {
      const quoted = this.#quoted();
      const bare = quoted === undefined ? this.#match(BARE)?.[0] : undefined;
      if (quoted !== undefined) parts.push(quoted);
      else if (bare !== undefined) parts.push(...bare.split(".").filter((part) => part !== ""));
      else if (parts.length > 0) return parts;
      else {
        const remedy = this.sees("[") ? "; the name of a file with [sections] must end in .ini" : "";
        throw this.problem(`expected a name, found ${this.next}${remedy}`);
      }
    }
  }

  /** The white space up to the next token of the line; empty where there is none. */
  readSpaces(): string {
    return this.#match(SPACES)?.[0] ?? "";
  }

  /** A quoted text, or the bare characters up to the next token; undefined where neither is next. */
  readText(): { readonly text: string; readonly isQuoted: boolean } | undefined {
    const quoted = this.#quoted();
    if (quoted !== undefined) return { text: quoted, isQuoted: true };
    const bare = this.#match(BARE)?.[0] ?? this.#match(/[:+?!@*&^\\]+/y)?.[0];
    return bare === undefined ? undefined : { text: bare, isQuoted: false };
  }

  /** `${name}` or `${?name}`; undefined where none is next. */
  readReference(): { readonly name: readonly string[]; readonly isOptional: boolean } | undefined {
    if (!this.take("${")) return undefined;
    const isOptional = this.take("?");
    this.skipSpaces();
    const name = this.readName();
    this.skipSpaces();
    if (!this.take("}")) throw this.problem(`expected } after ${name.join(".")}, found ${this.next}`);
    return { name, isOptional };
  }

  /** The file that an `include` names; undefined where none is next. */
  readInclude(): { readonly name: string; readonly isRequired: boolean } | undefined {
    const found = this.#match(INCLUDE)?.groups;
    if (found === undefined) return undefined;
    const { kind, file, required } = found;
    if (kind !== undefined && kind !== "file") throw this.problem(`include ${kind}(…) is not supported; use a file`);
    if (file === undefined) throw this.problem('expected include "FILE"');
    return { name: JSON.parse(file) as string, isRequired: required !== undefined };
  }

  /** Whether nothing more can belong to a value. */
  get endsValue(): boolean {
    return this.ended || /^(?:[\n,}\]#]|\/\/)/.test(this.#text.slice(this.#at, this.#at + 2));
  }

  #quoted(): string | undefined {
    const triple = this.#match(TRIPLE);
    if (triple !== undefined) return triple[1] ?? "";
    const quoted = this.#match(QUOTED)?.[0];
    if (quoted === undefined) {
      if (this.sees('"')) throw this.problem("missing closing quote");
      return undefined;
    }
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw this.problem(`invalid string ${quoted}: only the escapes of JSON are allowed`);
    }
  }

  /** What is next, for messages. */
  get next(): string {
    if (this.ended) return "the end of the file";
    return this.sees("\n") ? "the end of the line" : JSON.stringify(this.#text[this.#at]);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = pattern.lastIndex;
    return match;
  }
}
