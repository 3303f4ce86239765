import type { ServerResponse } from "node:http";
import { isOutOfMemory } from "#storage/engine/error-classes.ts";
import { isLargeStatement, placeForLarge } from "#storage/engine/large-statements.ts";
import type { Rows } from "#storage/engine/rows.ts";
import type { Statement } from "#storage/engine/statements.ts";
import { CensusError } from "#storage/errors.ts";
import { Allowance } from "#storage/memory/allowance.ts";
import type { MemoryBudget } from "#storage/memory/budget.ts";
import { isMemoryScarce, isMemoryTight, waitForMemory } from "#storage/memory/guard.ts";
import type { SendProgress } from "../http/piece-stream.ts";
import type { HttpRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { rowsResponse, type RowsOptions } from "../http/rows-response.ts";
import { AnswerPlaces, PATIENCE } from "./answer-places.ts";

/** Rows of an answer whose first ones are there, and headers that go with them. */
export interface OpenedRows {
  readonly rows: AsyncIterable<Rows>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Maximum responses at the same time: those that the engine works on, and those that wait for their clients. */
export type AnswerLimits = Pick<MemoryBudget, "queries" | "longAnswers" | "exports">;

/**
 * Makes a response.
 * @param begin called before a response that is not complete yet is sent; an error that it throws ends the response
 */
type MakeAnswer = (begin: () => SendProgress) => Promise<HttpResponse>;

/** A long response would have to be sent, but all places for them are in use. */
class NoPlace extends Error {}

/**
 * Limits the queries and exports at the same time. The engine works on a limited number of queries. A query with a long
 * result occupies the engine until its client has read nearly all of it, so the number of such results is limited too;
 * other queries are ended, and begin again when a place is free. Short results never wait for long ones. An export is a
 * long result, and needs a place among the exports as well.
 */
export class QueryAdmission {
  readonly #working: Allowance;
  readonly #large = new Allowance(1, "Too many large queries are being planned");
  readonly #long: AnswerPlaces;
  readonly #exports: AnswerPlaces;

  /** @param idleMs milliseconds after which a client that does not read is disconnected */
  constructor({ queries, longAnswers, exports }: AnswerLimits, idleMs: number) {
    this.#working = new Allowance(queries, "Too many queries are being answered");
    this.#long = new AnswerPlaces(longAnswers, "Too many long answers are being sent", idleMs);
    this.#exports = new AnswerPlaces(exports, "Too many exports are being sent", idleMs);
  }

  /**
   * Answers a query. One whose statements take long to plan waits for others of its kind before it takes a place that
   * other queries need.
   * @throws CensusError "unavailable" when it would have to wait too long; the signal's reason; errors of `answer`
   */
  async inTurn<T>(statements: readonly Statement[], signal: AbortSignal, answer: () => Promise<T>): Promise<T> {
    if (!statements.some(({ sql }) => isLargeStatement(sql))) return answer();
    await this.#large.acquire(1, PATIENCE, signal);
    try {
      await placeForLarge(signal);
      return await answer();
    } finally {
      this.#large.release();
    }
  }

  /**
   * Responds with rows.
   * @param open runs the query; called a second time if it has to begin again. Calls `beforeLong` before it reads a row
   *   that takes much memory
   * @throws CensusError "unavailable" when no place is free in time, "bad-input" for a query that needs more memory
   *   than the engine may use; errors of `open`
   */
  async answer(
    { message, response }: HttpRequest,
    signal: AbortSignal,
    open: (beforeLong?: () => void) => Promise<OpenedRows>,
    options: RowsOptions,
  ): Promise<HttpResponse> {
    const answered = async (begin: () => SendProgress, beforeLong?: () => void): Promise<HttpResponse> => {
      const { rows, headers } = await open(beforeLong);
      return rowsResponse(message, rows, { ...options, headers: { ...options.headers, ...headers } }, begin);
    };
    try {
      return await this.run(
        signal,
        () => this.#answerAtOnce(response, answered),
        () => this.#answerHolding(response, this.#long.total, answered),
      );
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
    }
    return this.#answerLong(response, signal, answered, tooLarge);
  }

  /** @throws NoPlace when the response is long and there is no place for it */
  async #answerAtOnce(
    response: ServerResponse,
    answered: (begin: () => SendProgress, beforeLong: () => void) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    let [hasPlace, isSending] = [false, false];
    const takePlace = (): void => {
      if (!hasPlace && !this.#long.tryTake()) throw new NoPlace();
      hasPlace = true;
    };
    const begin = (): SendProgress => {
      takePlace();
      isSending = true;
      return this.#long.sending(response, 1);
    };
    try {
      return await answered(begin, takePlace);
    } finally {
      if (hasPlace && !isSending) this.#long.release(1);
    }
  }

  /**
   * Responds with an export.
   * @param make called a second time if the export has to begin again
   * @throws CensusError "unavailable" when no place is free in time, or the engine has too little memory; errors of
   *   `make`
   */
  async export({ response }: HttpRequest, signal: AbortSignal, make: MakeAnswer): Promise<HttpResponse> {
    await freeMemory();
    await this.#exports.take(1, signal);
    let isSending = false;
    const holding: MakeAnswer = (begin) =>
      make(() => {
        isSending = true;
        return together(begin(), this.#exports.sending(response, 1));
      });
    try {
      return await this.#answerLong(response, signal, holding, exportTooLarge);
    } finally {
      if (!isSending) this.#exports.release(1);
    }
  }

  /**
   * Does what takes the engine, when there is a place for it; once more, without any other query, where the engine's
   * memory did not suffice.
   * @param alone does so while it has all places for long answers, and releases them
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, alone = this.#holdingAll(work)): Promise<T> {
    if (!this.#working.tryAcquire()) await this.#working.acquire(1, PATIENCE, signal);
    try {
      // Those before it may have taken memory while it waited.
      await freeMemory();
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    } finally {
      this.#working.release();
    }
    return this.#runAlone(signal, alone, tooLarge);
  }

  #holdingAll<T>(work: () => Promise<T>): () => Promise<T> {
    return () => work().finally(() => this.#long.release(this.#long.total));
  }

  /** Answers when there is a place for a long answer; once more, without any other, where memory did not suffice. */
  async #answerLong(
    response: ServerResponse,
    signal: AbortSignal,
    make: MakeAnswer,
    failure: (cause: unknown) => CensusError,
  ): Promise<HttpResponse> {
    await this.#long.take(1, signal);
    try {
      return await this.#answerHolding(response, 1, async (begin) => {
        await freeMemory();
        return make(begin);
      });
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
    return this.#runAlone(signal, () => this.#answerHolding(response, this.#long.total, make), failure);
  }

  /**
   * @param work releases all places for long answers
   * @param failure the error if the memory does not suffice for this alone
   */
  async #runAlone<T>(
    signal: AbortSignal,
    work: () => Promise<T>,
    failure: (cause: unknown) => CensusError,
  ): Promise<T> {
    // First these: short answers need none of them, and go on meanwhile.
    await this.#long.take(this.#long.total, signal);
    try {
      await this.#working.acquire(this.#working.total, PATIENCE, signal);
    } catch (error) {
      this.#long.release(this.#long.total);
      throw error;
    }
    try {
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw failure(error);
    } finally {
      this.#working.release(this.#working.total);
    }
  }

  /** @param places for long answers that were taken, and are released */
  async #answerHolding(response: ServerResponse, places: number, make: MakeAnswer): Promise<HttpResponse> {
    let isSending = false;
    try {
      return await make(() => {
        isSending = true;
        return this.#long.sending(response, places);
      });
    } finally {
      if (!isSending) this.#long.release(places);
    }
  }
}

/** Waits for memory where it is tight. @throws CensusError "unavailable" when there is none in time */
async function freeMemory(): Promise<void> {
  if (isMemoryTight()) await waitForMemory();
  if (isMemoryScarce()) throw new CensusError("unavailable", "Too little memory for a query; try again later");
}

/** Reports the progress of an answer that has places of two kinds. */
function together(one: SendProgress, other: SendProgress): SendProgress {
  return {
    idleMs: Math.min(one.idleMs, other.idleMs),
    waits: (isWaiting) => {
      one.waits(isWaiting);
      other.waits(isWaiting);
    },
    over: () => {
      one.over();
      other.over();
    },
  };
}

function tooLarge(cause: unknown): CensusError {
  const text =
    "The response needs more memory than the engine may use: query fewer rows or fields at a time, " +
    "or give the service more memory";
  return new CensusError("bad-input", text, { cause });
}

// Other work of the engine may need less memory later.
function exportTooLarge(cause: unknown): CensusError {
  const text =
    "The export needs more memory than the engine may use at present: try again later, or give the service more memory";
  return new CensusError("unavailable", text, { cause });
}
