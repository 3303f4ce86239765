/** The bytes that give JSON its structure; in UTF-8 none of them is part of a longer character. */
export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const COLON = 0x3a;
export const COMMA = 0x2c;
export const OPEN_LIST = 0x5b;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;

/** A view of a JSON text in UTF-8, for {@link afterString}. */
export function viewOf(json: Uint8Array): DataView {
  return new DataView(json.buffer, json.byteOffset, json.byteLength);
}

const [QUOTES, BACKSLASHES] = [0x22222222, 0x5c5c5c5c];

/**
 * The place after the closing quote of a string. Where the text ends before, it is after that end, by one byte more where an
 * escape begins with the last byte. It compares four bytes at a time, which takes less than half the time.
 * @param from the place after the opening quote
 */
export function afterString(json: DataView, from: number): number {
  const { byteLength: end } = json;
  let at = from;
  while (at < end) {
    let found = 0;
    for (; at + 4 <= end; at += 4) {
      const four = json.getInt32(at, true);
      found = zeroBytes(four ^ QUOTES) | zeroBytes(four ^ BACKSLASHES);
      if (found !== 0) break;
    }
    // The lowest bit belongs to the first of the bytes.
    if (found !== 0) at += (31 - Math.clz32(found & -found)) >> 3;
    else if (at === end) break;
    const byte = json.getUint8(at);
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return Math.max(at, end) + 1;
}

/** The highest bit of each byte that is zero; where there are any, perhaps those of higher bytes too. */
function zeroBytes(four: number): number {
  return (four - 0x01010101) & ~four & 0x80808080;
}
