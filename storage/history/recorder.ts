import type { Transaction } from "../engine/transaction.ts";
import type { Clock, Timestamp } from "../time.ts";
import { DocumentTimes } from "./document-times.ts";
import { FactRecorder } from "./fact-recorder.ts";
import { LateRecorder } from "./late-recorder.ts";
import { NodeRecorder } from "./node-recorder.ts";
import { beginHistory } from "./state.ts";
import { VolatilePaths } from "./volatile-facts.ts";

/** Records the changes of nodes in the transactions that make them. */
export class Recorder {
  readonly facts: FactRecorder;
  readonly nodes = new NodeRecorder();
  readonly documents = new DocumentTimes();
  readonly late: LateRecorder;
  readonly #clock: Clock;
  /** Whether the table of the state is known to have its row. */
  #hasBegun = false;

  /**
   * @param volatileFacts paths of facts whose changes are not recorded, besides the declared ones
   * @param nodes how many nodes the store has; undefined while that is unknown
   */
  constructor(volatileFacts: readonly string[], clock: Clock, nodes: () => number | undefined) {
    this.facts = new FactRecorder(new VolatilePaths(volatileFacts), nodes);
    this.late = new LateRecorder(this.facts);
    this.#clock = clock;
  }

  /** Forgets what is not written: after a rollback, or where the tables have been replaced. */
  clear(): void {
    this.nodes.clear();
    this.documents.clear();
    this.#hasBegun = false;
  }

  /**
   * To be called in a transaction before anything is recorded.
   * @param now when that is; default: the present time
   */
  async begin(tx: Transaction, now: Timestamp = this.#clock.now()): Promise<void> {
    if (this.#hasBegun) return;
    await beginHistory(tx, now);
    this.#hasBegun = true;
  }
}
