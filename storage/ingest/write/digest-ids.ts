/** Numbers of a slot: 96 bits of a digest, and the id, which is 0 in a free slot. */
const WORDS = 4;

/** Slots at first; always a power of two. */
const FIRST_SLOTS = 1024;

/** Part of the slots that may be used: beyond it, searches become long. */
const FULL = 0.6;

/** Characters of a digest. */
const LENGTH = 16;

/** The six bits of each character of base64url, by its code; 64 for others. */
const bits = new Uint8Array(128).fill(64);
for (const [value, character] of Object.entries("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")) {
  bits[character.charCodeAt(0)] = Number(value);
}

/**
 * The halves of a digest as numbers, as in the columns `digest_start` and `digest_end`
 * (`storage/schema/migrations/012-digest-numbers.ts`).
 */
export function digestNumbers(digest: string): [start: number, end: number] {
  const bytes = Buffer.from(digest, "base64url");
  return [bytes.readUIntBE(0, 6), bytes.readUIntBE(6, 6)];
}

/**
 * Ids by digests of 96 bits in base64url. A million of them take 32 MB outside of the heap, a third of what a map of texts takes,
 * and the garbage collector does not look at them. Other keys are kept in a map.
 */
export class DigestIds {
  #slots = new Uint32Array(WORDS * FIRST_SLOTS);
  #used = 0;
  readonly #others = new Map<string, number>();
  /** The digest that {@link #read} has read. */
  readonly #digest = new Uint32Array(WORDS - 1);

  get size(): number {
    return this.#used + this.#others.size;
  }

  get(key: string): number | undefined {
    if (!this.#read(key)) return this.#others.get(key);
    return this.#slots[this.#find() + WORDS - 1] || undefined;
  }

  /** @param id at least 1 */
  set(key: string, id: number): void {
    if (!this.#read(key)) {
      this.#others.set(key, id);
      return;
    }
    let at = this.#find();
    if (this.#slots[at + WORDS - 1] === 0) {
      if (++this.#used > (this.#slots.length / WORDS) * FULL) {
        this.#grow();
        this.#read(key);
        at = this.#find();
      }
      this.#slots.set(this.#digest, at);
    }
    this.#slots[at + WORDS - 1] = id;
  }

  delete(key: string): void {
    if (!this.#read(key)) {
      this.#others.delete(key);
      return;
    }
    let free = this.#find();
    const slots = this.#slots;
    if (slots[free + WORDS - 1] === 0) return;
    this.#used--;
    // What would not be found behind a free slot moves into it.
    for (let at = this.#next(free); slots[at + WORDS - 1] !== 0; at = this.#next(at)) {
      const home = this.#home(slots[at] ?? 0);
      const isBetween = free <= at ? free < home && home <= at : free < home || home <= at;
      if (isBetween) continue;
      slots.copyWithin(free, at, at + WORDS);
      free = at;
    }
    slots.fill(0, free, free + WORDS);
  }

  clear(): void {
    this.#slots = new Uint32Array(WORDS * FIRST_SLOTS);
    this.#used = 0;
    this.#others.clear();
  }

  /** Reads a digest. @returns false where the key is none */
  #read(key: string): boolean {
    if (key.length !== LENGTH) return false;
    let all = 0;
    const six = (at: number): number => {
      const value = bits[key.charCodeAt(at)] ?? 64;
      all |= value;
      return value & 63;
    };
    const digest = this.#digest;
    digest[0] = (six(0) << 26) | (six(1) << 20) | (six(2) << 14) | (six(3) << 8) | (six(4) << 2) | (six(5) >> 4);
    digest[1] = (six(5) << 28) | (six(6) << 22) | (six(7) << 16) | (six(8) << 10) | (six(9) << 4) | (six(10) >> 2);
    digest[2] = (six(10) << 30) | (six(11) << 24) | (six(12) << 18) | (six(13) << 12) | (six(14) << 6) | six(15);
    return (all & 64) === 0;
  }

  /** Where the digest that was read is, or a free slot for it. */
  #find(): number {
    const slots = this.#slots;
    const [first = 0, second = 0, third = 0] = this.#digest;
    let at = this.#home(first);
    while (slots[at + WORDS - 1] !== 0) {
      if (slots[at] === first && slots[at + 1] === second && slots[at + 2] === third) return at;
      at = this.#next(at);
    }
    return at;
  }

  /** Where the search for a digest begins: its bits are evenly distributed. */
  #home(first: number): number {
    return (first & (this.#slots.length / WORDS - 1)) * WORDS;
  }

  #next(at: number): number {
    return at + WORDS === this.#slots.length ? 0 : at + WORDS;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += WORDS) {
      if (before[at + WORDS - 1] === 0) continue;
      this.#digest.set(before.subarray(at, at + WORDS - 1));
      this.#slots.set(before.subarray(at, at + WORDS), this.#find());
    }
  }
}
