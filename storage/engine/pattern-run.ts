import { setTimeout as delay } from "node:timers/promises";
import { CensusError } from "../errors.ts";
import { matchAll, MatchTimeout, matchWithin } from "../postgres/regex.ts";
import { clientErrorMark } from "./client-error-mark.ts";
import type { Pattern, SqlValue } from "./sql-value.ts";

/** Default milliseconds of matching for a statement. */
export const DEFAULT_PATTERN_MS = 10_000;

/** Maximum characters of all texts that the patterns of one statement are matched against. */
const MAX_CHARACTERS = 128 * 1024 * 1024;

interface PatternTexts {
  readonly regexp: RegExp;
  readonly texts: Map<string, boolean>;
  /** Texts of the engine that are not matched yet. */
  readonly pending: Set<string>;
}

/** The patterns of the running statements, by their key in the statement. */
const running = new Map<string, { readonly run: PatternRun; readonly known: PatternTexts }>();

let next = 0;

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads a batch of rows with patterns after those of other statements. They are looked up on the event loop, and Node.js handles up
 * to a thousand calls of threads in a row as long as one waits: two statements at a time would keep it from anything else.
 */
export async function inPatternTurn<T>(read: () => Promise<T>): Promise<T> {
  const earlier = last;
  const turn = Promise.withResolvers<void>();
  last = turn.promise;
  const patience = new AbortController();
  try {
    await Promise.race([earlier, delay(500, undefined, { signal: patience.signal, ref: false })]);
    patience.abort();
    return await read();
  } finally {
    turn.resolve();
  }
}

/** Whether a statement has patterns that the engine cannot match. */
export function hasPatterns(values: readonly SqlValue[]): boolean {
  return values.some(isPattern);
}

function isPattern(value: SqlValue): value is Pattern {
  return typeof value === "object" && value !== null && "regexp" in value;
}

/**
 * Whether the texts of a batch match. The engine calls this on the event loop, so it only looks up results. A text
 * without a result is neither a match nor a mismatch: NULL.
 */
export function lookUp(key: string, texts: readonly string[]): (boolean | null)[] {
  const found = running.get(key);
  if (found === undefined) throw new Error("census_regexp belongs to queries of the service and cannot be called");
  return texts.map((text) => found.known.texts.get(text) ?? found.run.resolve(found.known, text));
}

/**
 * One run of a statement with patterns beyond RE2. Matching in the engine's calls would block the event loop for all
 * clients. So the statement is run to collect the texts for each pattern, another thread matches them, and this repeats
 * until all have a result. Then the statement is run for its rows with these results.
 */
export class PatternRun {
  readonly #keys = new Map<Pattern, string>();
  readonly #patterns: PatternTexts[] = [];
  readonly #limitMs: number;
  readonly #signal: AbortSignal | undefined;
  #characters = 0;
  #remainingMs: number;
  #isCollecting = false;

  constructor(values: readonly SqlValue[], { signal, patternMs }: { signal?: AbortSignal; patternMs?: number }) {
    this.#limitMs = patternMs ?? DEFAULT_PATTERN_MS;
    this.#remainingMs = this.#limitMs;
    this.#signal = signal;
    for (const value of values) {
      if (!isPattern(value) || this.#keys.has(value)) continue;
      const key = String(next++);
      const known: PatternTexts = { regexp: value.regexp, texts: new Map(), pending: new Set() };
      this.#keys.set(value, key);
      this.#patterns.push(known);
      running.set(key, { run: this, known });
    }
  }

  /** The values for the engine: each pattern is replaced by its key. */
  bound(values: readonly SqlValue[]): SqlValue[] {
    return values.map((value) => (isPattern(value) ? (this.#keys.get(value) ?? null) : value));
  }

  /**
   * @param look runs the statement to its end, only to collect texts
   * @throws CensusError "bad-input" when matching takes too long, or there are too many texts
   */
  async matchTexts(look: () => Promise<unknown>): Promise<void> {
    this.#isCollecting = true;
    // Each round reaches at least one more condition.
    for (let round = 0; round < 50; round++) {
      await look();
      this.#checkSize();
      const open = this.#patterns.filter(({ pending }) => pending.size > 0);
      if (open.length === 0) break;
      for (const known of open) await this.#match(known);
    }
    this.#isCollecting = false;
  }

  async #match({ regexp, texts, pending }: PatternTexts): Promise<void> {
    const subjects = [...pending];
    pending.clear();
    const began = performance.now();
    try {
      const matches = await matchAll(regexp, subjects, Math.max(1, this.#remainingMs), this.#signal);
      for (const [index, subject] of subjects.entries()) texts.set(subject, matches[index] === "1");
    } catch (error) {
      throw error instanceof MatchTimeout ? this.#tooSlow() : error;
    }
    this.#remainingMs -= performance.now() - began;
  }

  /** The result for a text that has none: it is collected, or matched immediately where rows are being read already. */
  resolve(known: PatternTexts, text: string): boolean | null {
    if (!this.#isCollecting) {
      const matches = matchNow(known.regexp, text);
      known.texts.set(text, matches);
      return matches;
    }
    if (this.#characters <= MAX_CHARACTERS && !known.pending.has(text)) {
      known.pending.add(text);
      this.#characters += text.length;
    }
    return null;
  }

  /** Must be called at the end of the statement. */
  end(): void {
    for (const key of this.#keys.values()) running.delete(key);
  }

  #checkSize(): void {
    if (this.#characters <= MAX_CHARACTERS) return;
    throw new CensusError(
      "bad-input",
      `the regular expression would have to be matched against more than ${MAX_CHARACTERS / 1024 / 1024} MB of text; ` +
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

/** An error that crosses the engine only keeps its text. */
function matchNow(regexp: RegExp, text: string): boolean {
  try {
    // It was not among those collected before.
    return matchWithin(regexp, [text], 0, 50) === "1";
  } catch (error) {
    throw new Error(`${clientErrorMark}the regular expression is too slow; write a simpler pattern`, { cause: error });
  }
}
