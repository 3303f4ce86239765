import { CensusError } from "#storage/errors.ts";
import { describePlace } from "./place.ts";
import type { Pattern } from "./grammar.ts";
import { SPACE } from "./grammar.ts";

/**
 * Maximum nesting of parentheses, `!` and lists. The readers of the AST are recursive, so their stack must not be
 * exhausted either.
 */
const MAX_DEPTH = 1000;

/** Levels that a nested query counts: it needs that much more of the stack and of the AST. */
export const QUERY_LEVELS = 4;

const LIMITS = `${MAX_DEPTH} levels are allowed, of which each query in a query takes ${QUERY_LEVELS}`;

/** A position to return to when an alternative fails. */
export interface Mark {
  readonly position: number;
  readonly depth: number;
  readonly faults: number;
}

/** A value that is well-formed but unusable, such as an integer beyond 64 bits. */
interface UnusableValue {
  readonly position: number;
  /** Called with the place, and for the first fault only: a query can have very many. */
  readonly describe: (place: string) => string;
}

/**
 * The text of a query with a reading position. Every terminal that does not match is recorded, and those at the
 * furthest position are kept: they become the syntax error if the text is not a query (reference/pql.md §4).
 */
export class Scanner {
  readonly text: string;
  position = 0;
  /** The furthest position at which a terminal did not match. */
  furthest = 0;
  /** Positions after a field at which no comparison can start; only needed for fields with two readings. */
  readonly deadEnds = new Set<number>();
  private readonly alternatives = new Set<string>();
  private readonly faults: UnusableValue[] = [];
  private depth = 0;
  private parenthesis: { from: number; at: number; found: boolean } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The labels of the terminals that were possible at {@link furthest}. */
  get expected(): string[] {
    return [...this.alternatives];
  }

  mark(): Mark {
    return { position: this.position, depth: this.depth, faults: this.faults.length };
  }

  reset(mark: Mark): void {
    this.position = mark.position;
    this.depth = mark.depth;
    this.faults.length = mark.faults;
  }

  /** Records that `label` did not match at the current position. */
  miss(label: string): void {
    if (this.position < this.furthest) return;
    if (this.position > this.furthest) {
      this.furthest = this.position;
      this.alternatives.clear();
    }
    this.alternatives.add(label);
  }

  /** Reads `literal`; false, with the position unchanged, when something else is here. */
  literal(literal: string): boolean {
    if (this.text.startsWith(literal, this.position)) {
      this.position += literal.length;
      return true;
    }
    this.miss(literal);
    return false;
  }

  /** Reads what `pattern` matches at the current position. */
  pattern(pattern: Pattern): string | undefined {
    const { expression } = pattern;
    expression.lastIndex = this.position;
    const found = expression.exec(this.text)?.[0];
    if (found === undefined) this.miss(pattern.label);
    else this.position += found.length;
    return found;
  }

  /** Reads white space; where it is optional, the result can be ignored. */
  space(): boolean {
    return this.pattern(SPACE) !== undefined;
  }

  /**
   * The position after the next `)` on this line. Remembered, so that many fields that look for the same one do not
   * each search the rest of the query.
   */
  endOfParenthesis(): number | undefined {
    const known = this.parenthesis;
    const usable = known !== undefined && known.from <= this.position && this.position <= known.at;
    const next = usable ? known : this.findParenthesis();
    this.parenthesis = next;
    return next.found ? next.at + 1 : undefined;
  }

  private findParenthesis(): { from: number; at: number; found: boolean } {
    const expression = /[)\n\r\u0085\u2028\u2029]/g;
    expression.lastIndex = this.position;
    const hit = expression.exec(this.text);
    return { from: this.position, at: hit?.index ?? this.text.length, found: hit?.[0] === ")" };
  }

  /**
   * Enters one or more levels, until {@link leave} or {@link reset}.
   * @throws CensusError (bad-input) beyond {@link MAX_DEPTH}
   */
  enter(levels = 1): void {
    this.depth += levels;
    if (this.depth <= MAX_DEPTH) return;
    const place = describePlace(this.text, this.position);
    throw new CensusError("bad-input", `The query is nested too deep at ${place}: ${LIMITS}`);
  }

  leave(levels = 1): void {
    this.depth -= levels;
  }

  /** Records an unusable value; it is reported only when the query has no syntax error. */
  rejectValue(position: number, describe: (place: string) => string): void {
    this.faults.push({ position, describe });
  }

  /** @throws CensusError (bad-input) for the first unusable value of the query */
  throwRejectedValue(): void {
    const [first] = this.faults;
    if (first === undefined) return;
    throw new CensusError("bad-input", first.describe(describePlace(this.text, first.position)));
  }
}
