import type { ServerResponse } from "node:http";
import { clipped } from "#storage/clip.ts";
import type { Plan } from "#storage/query/query.ts";
import type { QuerySettings } from "./settings.ts";

/** A query that is over. */
export interface QueryEntry {
  /** As it was asked: PQL or an AST; undefined: everything. */
  readonly query: string | undefined;
  /** Path of the request. */
  readonly path: string;
  /** What the client says it is, if it does. */
  readonly origin: string | undefined;
  /** The statements that it became; values stand as `$1`, `$2`, … */
  readonly statements: readonly string[];
  /** From the request to the end of the answer. */
  readonly ms: number;
  /** Whether it took longer than a query should. */
  readonly isSlow: boolean;
}

/** Notes what becomes of a query, and tells when it is over. */
export class QueryWatch {
  readonly #statements: string[] = [];

  /** @param told called once the answer is out, or the client gone, when the settings want it said */
  constructor(
    response: ServerResponse,
    settings: QuerySettings,
    query: Pick<QueryEntry, "path" | "origin"> & { readonly text: () => QueryEntry["query"] },
    told: ((entry: QueryEntry) => void) | undefined,
  ) {
    const { log, slowMs } = settings;
    if (told === undefined || (!log && slowMs === undefined)) return;
    const started = performance.now();
    response.once("close", () => {
      const ms = performance.now() - started;
      const isSlow = slowMs !== undefined && ms >= slowMs;
      if (!log && !isSlow) return;
      const { path, origin } = query;
      told({ query: query.text(), path, origin, statements: this.#statements, ms, isSlow });
    });
  }

  /** The query became this; returns it. */
  note(plan: Plan): Plan {
    this.#statements.push(clipped(plan.rows.sql));
    return plan;
  }
}
