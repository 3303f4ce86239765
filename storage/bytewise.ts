const utf8 = new TextEncoder();

/** Order by bytes of UTF-8, which is the order of code points. Runs in browsers too. */
export function compareBytewise(a: string, b: string): number {
  if (/^[\x00-\x7f]*$/.test(a + b)) return a < b ? -1 : a > b ? 1 : 0;
  return compareBytes(utf8.encode(a), utf8.encode(b));
}

/** Order by the number of bytes of UTF-8, then by the bytes. */
export function compareShorterFirst(a: string, b: string): number {
  const left = utf8.encode(a);
  const right = utf8.encode(b);
  return left.length - right.length || compareBytes(left, right);
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
