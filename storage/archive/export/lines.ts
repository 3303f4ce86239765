import { BETWEEN_LINES } from "./json-sql.ts";

/** Number of ids in a page: the ids of a range are in a few runs. */
const PAGE = 256;

/** A slot is stored as the number after it; this means no slot. */
const NONE = 0;

/** Numbers per slot: the text's index, the start of the line in it, and the end of the separator after the line. */
const PLACE = 3;

/**
 * Lines of a dictionary by their ids, as places in the texts that they were read in. An object for each line would
 * produce several times as much garbage for each range. A line gets a slot when it is first requested.
 */
export class Lines {
  readonly #pages: (Int32Array | undefined)[] = [];
  readonly #ids: number[] = [];
  readonly #texts: Buffer[] = [];
  #places = new Uint32Array(PLACE * PAGE);
  #found = 0;
  readonly #others: Lines | undefined;

  /** @param others further lines that can be found here */
  constructor(others?: Lines) {
    this.#others = others;
  }

  /** The slots of lines, which are requested from now on. Slots of the other lines are negative. */
  slotsOf(ids: readonly number[]): Int32Array {
    const slots = new Int32Array(ids.length);
    for (let index = 0; index < ids.length; index++) slots[index] = this.#slotOf(ids[index] as number);
    return slots;
  }

  /** Ids of the requested lines that the others do not contain. */
  get requested(): readonly number[] {
    return this.#ids;
  }

  /** Adds a text that contains the lines added next. */
  addText(text: Buffer): void {
    this.#texts.push(text);
  }

  /**
   * Adds a requested line of the last text.
   * @param end the end of {@link BETWEEN_LINES} after the line
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

  /** @throws Error when a requested line was not added */
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

  /**
   * Writes lines into memory, with {@link BETWEEN_LINES} between them, and after the last one as far as there is space.
   */
  copy(slots: Int32Array, target: Buffer, start: number): void {
    let at = start;
    for (let index = 0; index < slots.length; index++) at += this.#copyAt(slots[index] as number, target, at);
  }

  /** Bytes of a line and its separator. */
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
    return other === undefined ? this.#request(id) : ~other;
  }

  #find(id: number): number | undefined {
    const noted = this.#pages[Math.floor(id / PAGE)]?.[id % PAGE] ?? NONE;
    return noted === NONE ? undefined : noted - 1;
  }

  #request(id: number): number {
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
