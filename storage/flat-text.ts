const ANYTHING = /^/;

/**
 * The same text in one piece: V8 stores concatenated text as a tree of pieces, and joining two hundred such trees takes
 * ten times as long. Searching a text makes V8 flatten it. A longer text is returned as it is, because most of it is one
 * piece that is in memory anyway.
 */
export function flat(text: string): string {
  if (text.length <= 64 * 1024) ANYTHING.test(text);
  return text;
}
