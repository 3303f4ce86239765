import { encodePositions, type PlacedPosition } from "./positions.ts";

/** An entry of one of several logs, or of none. */
export interface MergedEntry {
  /** Which log has it; undefined: it was added here. */
  readonly source: number | undefined;
  /** Its id in that log. */
  readonly sourceId: number;
  /** How far all logs are read with it. */
  readonly positions: readonly PlacedPosition[];
}

/** Entries for which it is remembered how far all logs were read with them. */
const MAX_REMEMBERED = 50_000;

/** The entries of several logs in the order in which they are stored here, with ids of their own. */
export class MergedEntries {
  readonly #entries = new Map<number, MergedEntry>();
  readonly #beginning: MergedEntry;
  #last: number;

  /** @param last the id of the last entry that is stored */
  constructor(last: number, positions: readonly PlacedPosition[]) {
    this.#last = last;
    this.#beginning = { source: undefined, sourceId: 0, positions };
    this.#entries.set(last, this.#beginning);
  }

  /** The id of the last entry. */
  get last(): number {
    return this.#last;
  }

  /** How far all logs are read. */
  get positions(): readonly PlacedPosition[] {
    return (this.#entries.get(this.#last) ?? this.#beginning).positions;
  }

  /** Adds an entry of a log. @returns its id here */
  add(source: number, { id, mark }: { readonly id: number; readonly mark?: string | undefined }): number {
    const positions = this.positions.with(source, { ...this.#positionOf(source), id, mark });
    return this.#push({ source, sourceId: id, positions });
  }

  /** Adds an entry that no log has. @returns its id */
  addOwn(): number {
    return this.#push({ source: undefined, sourceId: 0, positions: this.positions });
  }

  /** Forgets what comes after an entry; where that is forgotten itself, what comes after the one before it. */
  rewind(after: number): void {
    for (const id of this.#entries.keys()) if (id > after) this.#entries.delete(id);
    const [remembered = after] = [...this.#entries.keys()].slice(-1);
    const entry = this.#entries.get(remembered) ?? this.#beginning;
    this.#last = after;
    this.#entries.set(after, entry);
  }

  get(id: number): MergedEntry | undefined {
    return this.#entries.get(id);
  }

  /** How far all logs are read with an entry, as its mark. */
  markOf(id: number): string | undefined {
    const entry = this.#entries.get(id);
    return entry && encodePositions(entry.positions);
  }

  /** Entries before this one are not needed any more. */
  forget(before: number): void {
    for (const id of this.#entries.keys()) {
      if (id >= Math.min(before, this.#last)) break;
      this.#entries.delete(id);
    }
  }

  /** Forgets the oldest entries that are stored, where there are many. @param stored all up to this one are */
  limit(stored: number): void {
    if (this.#entries.size > MAX_REMEMBERED) this.forget(Math.min(stored, this.#last - MAX_REMEMBERED));
  }

  #push(entry: MergedEntry): number {
    this.#last++;
    this.#entries.set(this.#last, entry);
    return this.#last;
  }

  #positionOf(source: number): PlacedPosition {
    const position = this.positions[source];
    if (position === undefined) throw new Error(`there is no log ${source}`);
    return position;
  }
}
