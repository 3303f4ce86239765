import { InternedRow } from "./interned-row.ts";

/** The result of reading a resource or an edge of a catalog. */
export interface Item {
  /** Its row in the table. */
  readonly row: object;
}

/** How one kind of item is read and cached. */
export interface ItemKind<T extends Item> {
  /** Makes an item of its text; the same text gives the same item. */
  readonly read: (text: string) => T;
  /** The parts of an item that are cached besides its row. `shared` returns one string for all equal ones. */
  readonly cached: (item: T, shared: (text: string) => string) => Omit<T, "row">;
}

interface Cached<T> {
  /** The bytes that the item was read from. */
  readonly text: DataView;
  readonly item: T;
}

/** Maximum bytes of a cached item. */
const MAX_ITEM_BYTES = 4096;

/** Slots for fingerprints of items that occurred once, to recognise repeated ones. A power of two. */
const FINGERPRINT_SLOTS = 16384;

/** Size of all cached items, in bytes: their texts and {@link ROW_BYTES} for the row of each. */
const CAPACITY = 16 * 1024 * 1024;

/** Size of a cached row, approximately. */
const ROW_BYTES = 200;

/**
 * Items of catalogs that a thread has read, found by their text: most edges and many resources of a catalog are equal,
 * byte for byte, to those of other nodes. An item is cached when it occurs for the second time.
 */
export class ItemCache {
  readonly #cached = new Map<object, Map<number, Cached<Item>>>();
  readonly #texts = new Map<string, string>();
  readonly #once = new Int32Array(FINGERPRINT_SLOTS);
  #bytes = 0;

  /** Whether new items are no longer cached. */
  get isFull(): boolean {
    return this.#bytes >= CAPACITY;
  }

  clear(): void {
    this.#cached.clear();
    this.#texts.clear();
    this.#once.fill(0);
    this.#bytes = 0;
  }

  /**
   * The items of a list in a document.
   * @param bounds where each item begins and ends, alternating, in bytes
   */
  read<T extends Item>(kind: ItemKind<T>, json: Buffer, bounds: readonly number[]): T[] {
    const cached = (this.#cached.get(kind) ?? new Map<number, Cached<Item>>()) as Map<number, Cached<T>>;
    this.#cached.set(kind, cached);
    const document = new DataView(json.buffer, json.byteOffset, json.length);
    const items: T[] = [];
    for (let index = 0; index < bounds.length; index += 2) {
      const [from, to] = [bounds[index] ?? 0, bounds[index + 1] ?? 0];
      const print = fingerprint(document, from, to);
      const found = cached.get(print);
      if (found !== undefined && isEqual(document, from, to, found.text)) {
        items.push(found.item);
        continue;
      }
      let item = kind.read(json.toString("utf8", from, to));
      if (found === undefined && to - from <= MAX_ITEM_BYTES && this.#occurredBefore(print)) {
        item = { ...kind.cached(item, this.#shared), row: new InternedRow(item.row) } as unknown as T;
        cached.set(print, { text: new DataView(new Uint8Array(json.subarray(from, to)).buffer), item });
        this.#bytes += to - from + ROW_BYTES;
      }
      items.push(item);
    }
    return items;
  }

  readonly #shared = (text: string): string => {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  };

  #occurredBefore(print: number): boolean {
    if (this.isFull) return false;
    const slot = print & (FINGERPRINT_SLOTS - 1);
    if (this.#once[slot] === print) return true;
    this.#once[slot] = print;
    return false;
  }
}

/**
 * Thirty bits of a text, four bytes at a time, which is faster than hashing a string in V8. Items with the same
 * fingerprint are compared byte by byte; of several such items only the first is cached.
 */
function fingerprint(document: DataView, from: number, to: number): number {
  let print = to - from;
  let at = from;
  for (; at + 4 <= to; at += 4) print = Math.imul(print ^ document.getInt32(at, true), 0x9e3779b1);
  for (; at < to; at++) print = Math.imul(print ^ document.getUint8(at), 0x9e3779b1);
  return (print ^ (print >>> 15)) >>> 2;
}

function isEqual(document: DataView, from: number, to: number, text: DataView): boolean {
  const length = to - from;
  if (text.byteLength !== length) return false;
  let at = 0;
  for (; at + 4 <= length; at += 4) {
    if (document.getInt32(from + at, true) !== text.getInt32(at, true)) return false;
  }
  for (; at < length; at++) if (document.getUint8(from + at) !== text.getUint8(at)) return false;
  return true;
}
