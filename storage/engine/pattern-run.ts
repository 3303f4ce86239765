import { CensusError } from "../errors.ts";
import { matchAll, MatchTimeout, matchWithin } from "../postgres/regex.ts";
import { clientErrorMark } from "./client-error-mark.ts";
import type { Pattern, SqlValue } from "./sql-value.ts";

/** Milliseconds of matching that a statement may take where nothing else is said. */
export const DEFAULT_PATTERN_MS = 10_000;

/** Characters of all texts that the patterns of one statement may look at. */
const MOST_CHARACTERS = 128 * 1024 * 1024;

/** Milliseconds for a text that was not there when the others were looked at. */
const LATE_MS = 50;

/** Rounds after which the texts of a statement should all be known: each shows at least one more condition. */
const MOST_ROUNDS = 50;

interface Known {
  readonly regexp: RegExp;
  readonly texts: Map<string, boolean>;
  /** Those that the engine has asked about and that are not matched yet. */
  readonly wanted: Set<string>;
}

/** The patterns of the statements that run now, by the key that stands for each in its statement. */
const running = new Map<string, { readonly run: PatternRun; readonly known: Known }>();

let next = 0;

/** Whether a statement has patterns that the engine cannot match itself. */
export function hasPatterns(values: readonly SqlValue[]): boolean {
  return values.some(isPattern);
}

function isPattern(value: SqlValue): value is Pattern {
  return typeof value === "object" && value !== null && "regexp" in value;
}

/**
 * Whether the texts of a batch match: called by the engine on the event loop, so it only looks up what is known. A text
 * that is not known yet is neither a match nor none: NULL.
 */
export function lookUp(key: string, texts: readonly string[]): (boolean | null)[] {
  const found = running.get(key);
  if (found === undefined) throw new Error("census_regexp belongs to queries of the service and cannot be called");
  return texts.map((text) => found.known.texts.get(text) ?? found.run.unknown(found.known, text));
}

/**
 * One run of a statement with patterns beyond RE2. The engine would wait for them to be matched on the event loop, and
 * everybody else with it: so the statement is run to see which texts are matched against which pattern, these are matched
 * on another thread, and again until all are known. Then it is run for its rows, for which answers are looked up.
 */
export class PatternRun {
  readonly #keys = new Map<Pattern, string>();
  readonly #known: Known[] = [];
  readonly #limitMs: number;
  readonly #signal: AbortSignal | undefined;
  #characters = 0;
  #left: number;
  #isCollecting = false;

  constructor(values: readonly SqlValue[], { signal, patternMs }: { signal?: AbortSignal; patternMs?: number }) {
    this.#limitMs = patternMs ?? DEFAULT_PATTERN_MS;
    this.#left = this.#limitMs;
    this.#signal = signal;
    for (const value of values) {
      if (!isPattern(value) || this.#keys.has(value)) continue;
      const key = String(next++);
      const known: Known = { regexp: value.regexp, texts: new Map(), wanted: new Set() };
      this.#keys.set(value, key);
      this.#known.push(known);
      running.set(key, { run: this, known });
    }
  }

  /** The values as the engine takes them: for a pattern the key that stands for it. */
  bound(values: readonly SqlValue[]): SqlValue[] {
    return values.map((value) => (isPattern(value) ? (this.#keys.get(value) ?? null) : value));
  }

  /**
   * @param look runs the statement to its end, for nothing but the texts
   * @throws CensusError "bad-input" when they take too long, or are too many
   */
  async learn(look: () => Promise<unknown>): Promise<void> {
    this.#isCollecting = true;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await look();
      this.#checkSize();
      const open = this.#known.filter(({ wanted }) => wanted.size > 0);
      if (open.length === 0) break;
      for (const known of open) await this.#match(known);
    }
    this.#isCollecting = false;
  }

  async #match({ regexp, texts, wanted }: Known): Promise<void> {
    const subjects = [...wanted];
    wanted.clear();
    const began = performance.now();
    try {
      const matches = await matchAll(regexp, subjects, Math.max(1, this.#left), this.#signal);
      for (const [index, subject] of subjects.entries()) texts.set(subject, matches[index] === "1");
    } catch (error) {
      throw error instanceof MatchTimeout ? this.#tooSlow() : error;
    }
    this.#left -= performance.now() - began;
  }

  /** What is answered for a text that is not known: it is noted, or, where rows are being read already, matched on the spot. */
  unknown(known: Known, text: string): boolean | null {
    if (!this.#isCollecting) {
      const matches = matchedLate(known.regexp, text);
      known.texts.set(text, matches);
      return matches;
    }
    if (this.#characters <= MOST_CHARACTERS && !known.wanted.has(text)) {
      known.wanted.add(text);
      this.#characters += text.length;
    }
    return null;
  }

  /** To be called when the statement is over. */
  end(): void {
    for (const key of this.#keys.values()) running.delete(key);
  }

  #checkSize(): void {
    if (this.#characters <= MOST_CHARACTERS) return;
    throw new CensusError(
      "bad-input",
      `the regular expression would have to be matched against more than ${MOST_CHARACTERS / 1024 / 1024} MB of text; ` +
        "narrow the query by further conditions",
    );
  }

  #tooSlow(): CensusError {
    return new CensusError(
      "bad-input",
      `regular expression matching took longer than ${this.#limitMs} ms (query-pattern-time); ` +
        "write a simpler pattern, or narrow the query by further conditions",
    );
  }
}

/** Of an error that crosses the engine only the text is left. */
function matchedLate(regexp: RegExp, text: string): boolean {
  try {
    return matchWithin(regexp, [text], 0, LATE_MS) === "1";
  } catch (error) {
    throw new Error(`${clientErrorMark}the regular expression is too slow; write a simpler pattern`, { cause: error });
  }
}
