/*
 * The header of an RPM package: tags with typed values. The format: https://rpm-software-management.github.io/rpm/manual/format_v4.html
 */

/** The value of a tag. */
export type TagValue =
  | { readonly type: "int16" | "int32"; readonly values: readonly number[] }
  | { readonly type: "string" | "i18n"; readonly values: readonly [string] }
  | { readonly type: "strings"; readonly values: readonly string[] }
  | { readonly type: "binary"; readonly values: Buffer };

const kinds = { int16: 3, int32: 4, string: 6, binary: 7, strings: 8, i18n: 9 } as const;
const sizes = { int16: 2, int32: 4 } as const;

const INDEX_ENTRY = 16;
const MAGIC = Buffer.from([0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0]);

export const int16 = (...values: readonly number[]): TagValue => ({ type: "int16", values });
export const int32 = (...values: readonly number[]): TagValue => ({ type: "int32", values });
export const text = (value: string): TagValue => ({ type: "string", values: [value] });
export const translated = (value: string): TagValue => ({ type: "i18n", values: [value] });
export const texts = (...values: readonly string[]): TagValue => ({ type: "strings", values });
export const binary = (values: Buffer): TagValue => ({ type: "binary", values });

/**
 * Writes a header.
 * @param region the tag that marks all others as immutable, so that they can be checked after the installation
 */
export function rpmHeader(region: number, tags: ReadonlyMap<number, TagValue>): Buffer {
  const sorted = [...tags].sort(([a], [b]) => a - b);
  const index: Buffer[] = [];
  const store: Buffer[] = [];
  let length = 0;
  const append = (bytes: Buffer): void => {
    store.push(bytes);
    length += bytes.length;
  };
  for (const [tag, value] of sorted) {
    const size = value.type === "int16" || value.type === "int32" ? sizes[value.type] : 1;
    append(Buffer.alloc((size - (length % size)) % size));
    index.push(entry(tag, kinds[value.type], length, value.values.length));
    append(bytesOf(value));
  }
  const count = sorted.length + 1;
  const first = entry(region, kinds.binary, length, INDEX_ENTRY);
  append(entry(region, kinds.binary, -count * INDEX_ENTRY, INDEX_ENTRY));
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(count, 0);
  counts.writeUInt32BE(length, 4);
  return Buffer.concat([MAGIC, counts, first, ...index, ...store]);
}

function entry(...fields: readonly [tag: number, kind: number, offset: number, count: number]): Buffer {
  const bytes = Buffer.alloc(INDEX_ENTRY);
  for (const [at, field] of fields.entries()) bytes.writeInt32BE(field, at * 4);
  return bytes;
}

function bytesOf(value: TagValue): Buffer {
  switch (value.type) {
    case "binary":
      return value.values;
    case "int16":
    case "int32": {
      const size = sizes[value.type];
      const bytes = Buffer.alloc(value.values.length * size);
      // Modes have all 16 bits, flags that verify everything all 32.
      for (const [at, number] of value.values.entries()) bytes.writeUIntBE(number, at * size, size);
      return bytes;
    }
    default:
      return Buffer.from(value.values.map((one) => `${one}\0`).join(""));
  }
}
