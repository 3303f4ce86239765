import { RegexError } from "./error.ts";
import { Lexer } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { readOptions } from "./options.ts";
import type { Options } from "./options.ts";
import type { Node, Tree } from "./tree.ts";

/** Maximum nesting of parentheses; the limits of both engines are slightly higher. */
const MAX_DEPTH = 300;

/**
 * Parses a PostgreSQL regular expression (manual section 9.7.3, `reference/query.md` §4.2).
 * @throws RegexError when PostgreSQL would reject it
 */
export function parseRegex(pattern: string): Tree {
  const { options, start } = readOptions(pattern);
  const root = new Parser(pattern.slice(start), options).parse();
  return { root, ignoreCase: options.ignoreCase };
}

class Parser {
  readonly #lexer: Lexer;
  readonly #options: Options;
  #token: Token;
  /** closed groups, the only ones that a back-reference may name */
  readonly #closed = new Set<number>();
  #depth = 0;
  #lookDepth = 0;

  constructor(text: string, options: Options) {
    this.#options = options;
    this.#lexer = new Lexer(text, options);
    this.#token = this.#lexer.next();
  }

  parse(): Node {
    return this.#choice(false);
  }

  #advance(): void {
    this.#token = this.#lexer.next();
  }

  /** Branches up to the end, or up to the closing parenthesis. */
  #choice(nested: boolean): Node {
    const branches = [this.#sequence(nested)];
    while (this.#token.kind === "bar") {
      this.#advance();
      branches.push(this.#sequence(nested));
    }
    const [only] = branches;
    return only && branches.length === 1 ? only : { kind: "choice", branches };
  }

  #sequence(nested: boolean): Node {
    const parts: Node[] = [];
    const stops: Token["kind"][] = nested ? ["bar", "end", "close"] : ["bar", "end"];
    while (!stops.includes(this.#token.kind)) parts.push(this.#quantified());
    return { kind: "sequence", parts };
  }

  /** One atom with its quantifier, or a constraint, which may have none. */
  #quantified(): Node {
    const token = this.#token;
    if (token.kind === "place") {
      this.#advance();
      return token;
    }
    if (token.kind === "look") {
      this.#advance();
      this.#lookDepth++;
      const body = this.#enclosed();
      this.#lookDepth--;
      return { kind: "look", behind: token.behind, negative: token.negative, body };
    }
    const body = this.#atom(token);
    if (this.#token.kind !== "repeat") return body;
    const { min, max } = this.#token;
    this.#advance();
    return { kind: "repeat", body, min, max };
  }

  #atom(token: Token): Node {
    switch (token.kind) {
      case "set":
        this.#advance();
        return token;
      case "open":
        this.#advance();
        return this.#enclosed();
      case "open-capture":
        return this.#group();
      case "reference":
        if (this.#lookDepth > 0 || !this.#closed.has(token.number)) throw new RegexError("backreference");
        this.#advance();
        return token;
      case "close":
        if (this.#options.syntax !== "extended") throw new RegexError("parentheses");
        this.#advance();
        return { kind: "set", set: { negated: false, ranges: [[0x29, 0x29]], categories: [], nonWord: false } };
      default:
        throw new RegexError("operand");
    }
  }

  /** Parentheses inside a look-around never capture. */
  #group(): Node {
    const number = this.#lookDepth > 0 ? undefined : ++this.#lexer.groups;
    this.#advance();
    const body = this.#enclosed();
    if (number === undefined) return body;
    this.#closed.add(number);
    return { kind: "group", number, body };
  }

  #enclosed(): Node {
    if (++this.#depth > MAX_DEPTH) throw new RegexError("complex", ` (more than ${MAX_DEPTH} nested parentheses)`);
    const body = this.#choice(true);
    if (this.#token.kind !== "close") throw new RegexError("parentheses");
    this.#advance();
    this.#depth--;
    return body;
  }
}
