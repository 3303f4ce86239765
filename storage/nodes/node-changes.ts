/** Remembers with which commit each node changed last, so that what is kept of nodes can be renewed for the others alone. */
export class NodeChanges {
  /** Ids with the numbers of the commits. */
  readonly #last = new Map<number, number>();
  #number = 0;
  /** The last commit that may have changed any node. */
  #all = 0;

  /** The number of the last commit. */
  get number(): number {
    return this.#number;
  }

  /** A commit changed these nodes: their rows in the table `nodes`, and with them whatever else belongs to them. */
  note(ids: Iterable<number>): void {
    this.#number++;
    for (const id of ids) this.#last.set(id, this.#number);
  }

  /** All nodes may have changed, or have other ids. */
  noteAll(): void {
    this.#all = ++this.#number;
    this.#last.clear();
  }

  /** The nodes that changed after a commit; undefined: any may have. */
  since(number: number): number[] | undefined {
    if (number < this.#all) return undefined;
    return [...this.#last].flatMap(([id, last]) => (last > number ? [id] : []));
  }
}
