/** The parts of a node's row that a commit changed (`changedPart`); undefined: any may have, or the node is new or removed. */
export type ChangedParts = readonly string[] | undefined;

/** A commit changed this of a node. */
interface Change {
  readonly number: number;
  readonly id: number;
  readonly parts: ChangedParts;
}

/** The parts of this number of changes are remembered, at least: those of a minute in a fleet of 100,000 nodes. */
const MOST_RECENT = 10_000;

/** Remembers with which commit each node changed last, so that what is kept of nodes can be renewed for the others alone. */
export class NodeChanges {
  /** Ids with the numbers of the commits. */
  readonly #last = new Map<number, number>();
  readonly #mostRecent: number;
  /** The last ones, in their order. */
  #recent: Change[] = [];
  /** Each list of parts once, by its text: nodes have the same few. */
  readonly #lists = new Map<string, readonly string[]>();
  /** The last commit of which the changes are not among the recent ones. */
  #forgotten = 0;
  #number = 0;
  /** The last commit that may have changed any node. */
  #all = 0;

  /** @param mostRecent changes of which the parts are remembered, at least */
  constructor(mostRecent = MOST_RECENT) {
    this.#mostRecent = mostRecent;
  }

  /** The number of the last commit. */
  get number(): number {
    return this.#number;
  }

  /** A commit changed these nodes: their rows in the table `nodes`, and with them whatever else belongs to them. */
  note(changed: ReadonlyMap<number, ChangedParts>): void {
    const number = ++this.#number;
    for (const [id, parts] of changed) {
      this.#last.set(id, number);
      this.#recent.push({ number, id, parts: parts && this.#shared(parts) });
    }
    if (this.#recent.length < 2 * this.#mostRecent) return;
    this.#forgotten = this.#recent.at(-this.#mostRecent - 1)?.number ?? 0;
    this.#recent = this.#recent.slice(-this.#mostRecent);
  }

  /** All nodes may have changed, or have other ids. */
  noteAll(): void {
    this.#all = ++this.#number;
    this.#last.clear();
    this.#recent = [];
    this.#forgotten = this.#all;
  }

  /**
   * The nodes that changed after a commit; undefined: any may have.
   * @param isRead whether a part matters; of older commits all parts do
   */
  since(number: number, isRead: (part: string) => boolean): number[] | undefined {
    if (number < this.#all) return undefined;
    if (number < this.#forgotten) return [...this.#last].flatMap(([id, last]) => (last > number ? [id] : []));
    const changed = new Set<number>();
    for (let at = this.#recent.length - 1; at >= 0; at--) {
      const { number: commit, id, parts } = this.#recent[at] as Change;
      if (commit <= number) break;
      if (parts?.some(isRead) !== false) changed.add(id);
    }
    return [...changed];
  }

  #shared(parts: readonly string[]): readonly string[] {
    const text = parts.join();
    const known = this.#lists.get(text) ?? parts;
    this.#lists.set(text, known);
    return known;
  }
}
