import { BETWEEN_LINES } from "./json-sql.ts";

/** Ids whose slots are noted together: those of a range lie in a few runs. */
const PAGE = 256;

/** A slot is noted as the number after it; nothing is noted as this. */
const NONE = 0;

/** What is known of a slot: the text's index, where the line begins in it, and where what stands behind the line ends. */
const PLACE = 3;

/**
 * Lines of a dictionary by their ids, as places in the texts that they came in. With an object for each line, what a range
 * leaves to the collector would be several times as much. A line has a slot as soon as somebody wants it.
 */
export class Lines {
  readonly #pages: (Int32Array | undefined)[] = [];
  readonly #ids: number[] = [];
  readonly #texts: Buffer[] = [];
  #places = new Uint32Array(PLACE * PAGE);
  #found = 0;
  readonly #others: Lines | undefined;

  /** @param others lines that are found here as well */
  constructor(others?: Lines) {
    this.#others = others;
  }

  /** The slots of some lines, which are wanted from now on. Those that the others have are below zero. */
  slotsOf(ids: readonly number[]): Int32Array {
    const slots = new Int32Array(ids.length);
    for (let index = 0; index < ids.length; index++) slots[index] = this.#slotOf(ids[index] as number);
    return slots;
  }

  /** Ids of the lines that are wanted and that the others do not have. */
  get wanted(): readonly number[] {
    return this.#ids;
  }

  /** A text that the lines which are added next are in. */
  addText(text: Buffer): void {
    this.#texts.push(text);
  }

  /**
   * A line of the last text, which is wanted.
   * @param end behind {@link BETWEEN_LINES}, which stands behind the line
   */
  add(id: number, start: number, end: number): void {
    const slot = this.#find(id);
    if (slot === undefined) return;
    const place = slot * PLACE;
    this.#places[place] = this.#texts.length - 1;
    this.#places[place + 1] = start;
    this.#places[place + 2] = end;
    this.#found++;
  }

  /** @throws Error when a line that is wanted has not been added */
  checkFound(dictionary: string): void {
    if (this.#found >= this.#ids.length) return;
    const missing = this.#ids.filter((_, slot) => this.#places[slot * PLACE + 2] === 0);
    throw new Error(`${dictionary} has no row ${missing.join(", ")}`);
  }

  /** Bytes of lines, with {@link BETWEEN_LINES} between them. */
  lengthOf(slots: Int32Array): number {
    let length = -BETWEEN_LINES.length;
    for (let index = 0; index < slots.length; index++) length += this.#lengthAt(slots[index] as number);
    return length;
  }

  /** Writes lines into memory, with {@link BETWEEN_LINES} between them, and behind the last as far as it reaches. */
  copy(slots: Int32Array, target: Buffer, start: number): void {
    let at = start;
    for (let index = 0; index < slots.length; index++) at += this.#copyAt(slots[index] as number, target, at);
  }

  /** Bytes of a line and what stands behind it. */
  #lengthAt(slot: number): number {
    if (slot < 0) return (this.#others as Lines).#lengthAt(~slot);
    return (this.#places[slot * PLACE + 2] as number) - (this.#places[slot * PLACE + 1] as number);
  }

  /** @returns bytes */
  #copyAt(slot: number, target: Buffer, at: number): number {
    if (slot < 0) return (this.#others as Lines).#copyAt(~slot, target, at);
    const text = this.#texts[this.#places[slot * PLACE] as number] as Buffer;
    return text.copy(target, at, this.#places[slot * PLACE + 1], this.#places[slot * PLACE + 2]);
  }

  #slotOf(id: number): number {
    const own = this.#find(id);
    if (own !== undefined) return own;
    const others = this.#others;
    const other = others === undefined ? undefined : others.#find(id);
    return other === undefined ? this.#want(id) : ~other;
  }

  #find(id: number): number | undefined {
    const noted = this.#pages[Math.floor(id / PAGE)]?.[id % PAGE] ?? NONE;
    return noted === NONE ? undefined : noted - 1;
  }

  #want(id: number): number {
    const slot = this.#ids.push(id) - 1;
    (this.#pages[Math.floor(id / PAGE)] ??= new Int32Array(PAGE))[id % PAGE] = slot + 1;
    if (this.#places.length === slot * PLACE) this.#grow();
    return slot;
  }

  #grow(): void {
    const places = new Uint32Array(this.#places.length * 2);
    places.set(this.#places);
    this.#places = places;
  }
}
