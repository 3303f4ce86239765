import type { ServerResponse } from "node:http";
import { isOutOfMemory } from "#storage/engine/error-classes.ts";
import type { Rows } from "#storage/engine/rows.ts";
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

/** How many answers there may be at the same time: worked by the engine, and sent to clients while it waits. */
export type AnswerLimits = Pick<MemoryBudget, "queries" | "longAnswers" | "exports">;

/**
 * Makes an answer.
 * @param begin called before any of an answer is sent that is not made yet; what it throws ends it
 */
type MakeAnswer = (begin: () => SendProgress) => Promise<HttpResponse>;

/** A long answer would have to be sent, and all places for such are taken. */
class NoPlace extends Error {}

/**
 * Bounds what queries and exports take at the same time. The engine works on a number of queries. One whose answer is long
 * keeps what it has in the engine until its client has read nearly all of it, so there is a number of places for those; the
 * queries of others are ended, and begun anew when there is a place. Short answers never wait for long ones. An export is a
 * long answer, and takes a place among the exports besides.
 */
export class QueryAdmission {
  readonly #working: Allowance;
  readonly #long: AnswerPlaces;
  readonly #exports: AnswerPlaces;

  /** @param idleMs milliseconds after which a client that does not read is cut off */
  constructor({ queries, longAnswers, exports }: AnswerLimits, idleMs: number) {
    this.#working = new Allowance(queries, "Too many queries are being answered");
    this.#long = new AnswerPlaces(longAnswers, "Too many long answers are being sent", idleMs);
    this.#exports = new AnswerPlaces(exports, "Too many exports are being sent", idleMs);
  }

  /**
   * Answers with rows.
   * @param open asks the engine; called once more where the query has to be begun anew
   * @throws CensusError "unavailable" when there is no place in time, "bad-input" for a query that needs more than the engine
   *   may use; what `open` throws
   */
  async answer(
    { message, response }: HttpRequest,
    signal: AbortSignal,
    open: () => Promise<OpenedRows>,
    options: RowsOptions,
  ): Promise<HttpResponse> {
    const answered: MakeAnswer = async (begin) => {
      const { rows, headers } = await open();
      return rowsResponse(message, rows, { ...options, headers: { ...options.headers, ...headers } }, begin);
    };
    try {
      return await this.run(
        signal,
        () =>
          answered(() => {
            if (!this.#long.tryTake()) throw new NoPlace();
            return this.#long.sending(response, 1);
          }),
        () => this.#answerHolding(response, this.#long.total, answered),
      );
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
    }
    return this.#answerLong(response, signal, answered, tooLarge);
  }

  /**
   * Answers with an export.
   * @param make called once more where the export has to be begun anew
   * @throws CensusError "unavailable" when there is no place in time, or the engine's memory does not suffice; what `make` throws
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
   * Does what takes the engine, when there is a place for it; once more, without any other query, where the engine's memory
   * did not suffice.
   * @param alone does so while it has all places for long answers, and releases them
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, alone = this.#holdingAll(work)): Promise<T> {
    await freeMemory();
    if (!this.#working.tryAcquire()) await this.#working.acquire(1, PATIENCE, signal);
    try {
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
      return await this.#answerHolding(response, 1, make);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
    return this.#runAlone(signal, () => this.#answerHolding(response, this.#long.total, make), failure);
  }

  /**
   * @param work releases all places for long answers
   * @param failure what is thrown where memory does not suffice for this alone
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

/** Waits for memory where it is tight. @throws CensusError "unavailable" where there is none in time */
async function freeMemory(): Promise<void> {
  if (isMemoryTight()) await waitForMemory();
  if (isMemoryScarce()) throw new CensusError("unavailable", "There is no memory for a query; try again later");
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
    "The answer needs more memory than the engine may use: ask for fewer rows or fields at a time, " +
    "or give the service more memory";
  return new CensusError("bad-input", text, { cause });
}

/** What else the engine does may need less memory later. */
function exportTooLarge(cause: unknown): CensusError {
  const text =
    "The export needs more memory than the engine may use at present: try again later, or give the service more memory";
  return new CensusError("unavailable", text, { cause });
}
