/** Half of the places are free at least. */
const LEAST_PLACES = 64;

/** Bytes of a place: two numbers and a count. */
const PLACE_BYTES = 12;

/** Counts pairs of two numbers, each from 0 to 2³² − 2, in 24 to 48 bytes a pair. */
export class PairCounts {
  #size = 0;
  #first = new Uint32Array(LEAST_PLACES);
  #second = new Uint32Array(LEAST_PLACES);
  #counts = new Uint32Array(LEAST_PLACES);

  get bytes(): number {
    return this.#first.length * PLACE_BYTES;
  }

  /**
   * Adds to the count of a pair.
   * @returns the count
   */
  add(first: number, second: number, count: number): number {
    if (2 * (this.#size + 1) > this.#first.length) this.#grow();
    const place = this.#placeOf(first, second);
    // 0 marks a free place. A pair whose count becomes 0 keeps its place until the next time that places are added.
    if (this.#first[place] === 0) {
      this.#first[place] = first + 1;
      this.#second[place] = second;
      this.#size++;
    }
    return (this.#counts[place] = (this.#counts[place] ?? 0) + count);
  }

  #placeOf(first: number, second: number): number {
    const mask = this.#first.length - 1;
    let place = (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca77)) >>> 0;
    place = (place ^ (place >>> 15)) & mask;
    while (this.#first[place] !== 0 && (this.#first[place] !== first + 1 || this.#second[place] !== second)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    const [first, second, counts] = [this.#first, this.#second, this.#counts];
    const used = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
    let places = LEAST_PLACES;
    while (places < 4 * (used + 1)) places *= 2;
    this.#size = 0;
    this.#first = new Uint32Array(places);
    this.#second = new Uint32Array(places);
    this.#counts = new Uint32Array(places);
    for (const [place, count] of counts.entries()) {
      if (count > 0) this.add((first[place] ?? 0) - 1, second[place] ?? 0, count);
    }
  }
}
