import type { Json } from "#storage/json.ts";
import type { Store } from "#storage/store.ts";
import type { Rows } from "../output/rows.ts";

export interface AskOptions {
  /** Ends the answer: its iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Answers with one row that tells how the question was carried out, as `explain=analyze` of the query API does. */
  readonly explain?: boolean;
}

interface Open {
  /** As it is called in messages. */
  readonly name: string;
  /**
   * Puts a question and waits for its answer to begin.
   * @param question PQL or AST as text, or AST
   * @returns rows as JSON texts; leaving the iteration ends the answer
   * @throws CensusError "bad-input" when it cannot be asked
   */
  ask(question: string | Json, options?: AskOptions): Promise<Rows>;
  close(): Promise<void>;
}

/** A source on this machine, open for reading. */
export interface LocalSource extends Open {
  readonly kind: "archive" | "data";
  readonly store: Store;
}

/** A server, ours or the peer's. */
export interface ServerSource extends Open {
  readonly kind: "url";
}

/** Something that answers questions; whoever opened it closes it. */
export type OpenSource = LocalSource | ServerSource;
