import type { ServerResponse } from "node:http";
import { clipped } from "#storage/clip.ts";
import type { Plan } from "#storage/query/query.ts";
import type { QuerySettings } from "./settings.ts";

/** A query that has ended. */
export interface QueryEntry {
  /** The query in PQL or AST; undefined: there is none, all rows are returned. */
  readonly query: string | undefined;
  /** Path of the request. */
  readonly path: string;
  /** The client's `origin`, if it sends one. */
  readonly origin: string | undefined;
  /** The statements made of it, with `$1`, `$2`, … for values. */
  readonly statements: readonly string[];
  /** From the request to the end of the response. */
  readonly ms: number;
  /** Whether it took longer than the threshold of slow queries. */
  readonly isSlow: boolean;
}

/** Observes a query, and reports it when it has ended. */
export class QueryWatch {
  readonly #statements: string[] = [];

  /** @param onEntry called once the response is sent or the client has disconnected, if the settings require it */
  constructor(
    response: ServerResponse,
    settings: QuerySettings,
    query: Pick<QueryEntry, "path" | "origin"> & { readonly text: () => QueryEntry["query"] },
    onEntry: ((entry: QueryEntry) => void) | undefined,
  ) {
    const { log, slowMs } = settings;
    if (onEntry === undefined || (!log && slowMs === undefined)) return;
    const started = performance.now();
    response.once("close", () => {
      const ms = performance.now() - started;
      const isSlow = slowMs !== undefined && ms >= slowMs;
      if (!log && !isSlow) return;
      const { path, origin } = query;
      onEntry({ query: query.text(), path, origin, statements: this.#statements, ms, isSlow });
    });
  }

  /** The query became this; returns it. */
  note(plan: Plan): Plan {
    this.noteStatement(plan.rows.sql);
    return plan;
  }

  /** The query is this statement. */
  noteStatement(sql: string): void {
    this.#statements.push(clipped(sql));
  }
}
