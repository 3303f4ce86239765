/**
 * How long commands wait from their acknowledgement until they are stored. The server reports how many it has acknowledged and
 * not stored; as it stores them in their order, these are the last ones, and the first of them waits the longest.
 */
export class Backlog {
  readonly #acknowledged: number[] = [];

  /** @param at when a command was acknowledged, in ms */
  acknowledge(at: number): void {
    this.#acknowledged.push(at);
  }

  /**
   * For how long the first of the waiting commands has waited.
   * @param waiting how many wait; some of them may be known to the server only
   * @param now in ms
   */
  longestWait(waiting: number, now: number): number {
    if (waiting <= 0) return 0;
    const first = this.#acknowledged[Math.max(0, this.#acknowledged.length - waiting)];
    return first === undefined ? 0 : now - first;
  }
}
