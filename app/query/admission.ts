import type { ServerResponse } from "node:http";
import type { H3Event } from "h3";
import { isOutOfMemory } from "#storage/engine/error-classes.ts";
import type { Rows } from "#storage/engine/rows.ts";
import { CensusError } from "#storage/errors.ts";
import { Allowance } from "#storage/memory/allowance.ts";
import type { MemoryBudget } from "#storage/memory/budget.ts";
import { isMemoryScarce, isMemoryTight, memoryToBeFree } from "#storage/memory/guard.ts";
import { rowsAnswer, type RowsOptions } from "../http/answers.ts";
import { nodeResponse } from "../http/request.ts";
import type { Sending } from "../http/streamed.ts";

/** Rows of an answer whose first ones are there, and headers that go with them. */
export interface OpenedRows {
  readonly rows: AsyncIterable<Rows>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How many answers there may be at the same time: worked by the engine, and sent to clients while it waits. */
export type AnswerLimits = Pick<MemoryBudget, "queries" | "longAnswers">;

/** How long a query waits for its turn, ms. */
const PATIENCE = 30_000;

/** While others wait, a client that has read nothing for so long is not waited for any more, ms. */
const PRESSED = 10_000;

/** How often that is looked at while others wait, ms. */
const LOOK = 500;

/** A long answer would have to be sent, and all places for such are taken. */
class NoPlace extends Error {}

/** An answer that has a place among the long ones until the engine has made all of it. */
interface LongAnswer {
  readonly response: ServerResponse;
  /** Since when its client has not read; undefined: it reads. By `performance.now()`. */
  stalledAt: number | undefined;
}

/**
 * Bounds what queries take at the same time. So many are worked by the engine. One whose answer is long keeps what it has in
 * the engine until its client has read nearly all of it, so there is a number of places for those; the queries of others
 * are ended, and begun anew when there is a place. Short answers never wait for long ones.
 */
export class QueryAdmission {
  readonly #working: Allowance;
  readonly #long: Allowance;
  readonly #idleMs: number;
  readonly #answers = new Set<LongAnswer>();
  #pressing: NodeJS.Timeout | undefined;

  /** @param idleMs milliseconds after which a client that does not read is cut off */
  constructor({ queries, longAnswers }: AnswerLimits, idleMs: number) {
    this.#working = new Allowance(queries, "Too many queries are being answered");
    this.#long = new Allowance(longAnswers, "Too many long answers are being sent");
    this.#idleMs = idleMs;
  }

  /**
   * Answers with rows.
   * @param open asks the engine; called once more where the query has to be begun anew
   * @throws CensusError "unavailable" when there is no place in time, "bad-input" for a query that needs more than the engine
   *   may use; what `open` throws
   */
  async answer(
    event: H3Event,
    signal: AbortSignal,
    open: () => Promise<OpenedRows>,
    options: RowsOptions,
  ): Promise<Response> {
    const response = nodeResponse(event);
    const answered = async (begin: () => Sending): Promise<Response> => {
      const { rows, headers } = await open();
      return rowsAnswer(event, rows, { ...options, headers: { ...options.headers, ...headers } }, begin);
    };
    try {
      return await this.run(
        signal,
        () =>
          answered(() => {
            if (!this.#long.tryTake()) throw new NoPlace();
            return this.#sending(response, 1);
          }),
        // It has all places then.
        () => this.#answerHolding(response, this.#long.total, answered),
      );
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error;
    }
    await this.#takeLong(1, signal);
    try {
      return await this.#answerHolding(response, 1, answered);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
    return this.#runAlone(signal, () => this.#answerHolding(response, this.#long.total, answered));
  }

  /**
   * Does what takes the engine, when there is a place for it; once more, without any other query, where the engine's memory
   * did not suffice.
   */
  async run<T>(signal: AbortSignal, work: () => Promise<T>, alone = this.#holdingAll(work)): Promise<T> {
    if (isMemoryTight()) await memoryToBeFree();
    if (isMemoryScarce()) throw new CensusError("unavailable", "There is no memory for a query; try again later");
    if (!this.#working.tryTake()) await this.#working.take(1, PATIENCE, signal);
    try {
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    } finally {
      this.#working.giveBack();
    }
    return this.#runAlone(signal, alone);
  }

  #holdingAll<T>(work: () => Promise<T>): () => Promise<T> {
    return () => work().finally(() => this.#long.giveBack(this.#long.total));
  }

  /** @param work gives all places for long answers back */
  async #runAlone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    // First these: short answers need none of them, and go on meanwhile.
    await this.#takeLong(this.#long.total, signal);
    try {
      await this.#working.take(this.#working.total, PATIENCE, signal);
    } catch (error) {
      this.#long.giveBack(this.#long.total);
      throw error;
    }
    try {
      return await work();
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      throw new CensusError("bad-input", tooLarge, { cause: error });
    } finally {
      this.#working.giveBack(this.#working.total);
    }
  }

  async #takeLong(places: number, signal: AbortSignal): Promise<void> {
    if (this.#long.tryTake(places)) return;
    this.#pressing ??= setInterval(() => this.#press(), LOOK).unref();
    await this.#long.take(places, PATIENCE, signal);
  }

  /** @param places that it has already, and gives back */
  async #answerHolding(
    response: ServerResponse,
    places: number,
    answered: (begin: () => Sending) => Promise<Response>,
  ): Promise<Response> {
    let isSending = false;
    try {
      return await answered(() => {
        isSending = true;
        return this.#sending(response, places);
      });
    } finally {
      if (!isSending) this.#long.giveBack(places);
    }
  }

  #sending(response: ServerResponse, places: number): Sending {
    const answer: LongAnswer = { response, stalledAt: undefined };
    this.#answers.add(answer);
    return {
      idleMs: this.#idleMs,
      waits: (isWaiting) => (answer.stalledAt = isWaiting ? performance.now() : undefined),
      over: () => {
        if (this.#answers.delete(answer)) this.#long.giveBack(places);
      },
    };
  }

  /** Others wait: ends answers whose clients do not read, those first that have not for longest. */
  #press(): void {
    if (this.#long.waiting === 0) {
      clearInterval(this.#pressing);
      this.#pressing = undefined;
      return;
    }
    const before = performance.now() - PRESSED;
    const stalled = [...this.#answers].filter(({ stalledAt = Infinity }) => stalledAt < before);
    stalled.sort((a, b) => (a.stalledAt ?? 0) - (b.stalledAt ?? 0));
    for (const { response } of stalled.slice(0, this.#long.waiting)) response.destroy();
  }
}

const tooLarge =
  "The answer needs more memory than the engine may use: ask for fewer rows or fields at a time, " +
  "or give the service more memory";
