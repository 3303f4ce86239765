const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const TEXT = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;

/**
 * Where a text stops being JSON: the place of the first character that cannot be there, the length of the text when
 * something is missing at its end. Browsers differ in what they say about it.
 */
export function jsonPlace(text: string): number {
  const open: ("[" | "{")[] = [];
  let at = 0;
  const read = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) return false;
    at += found.length;
    return true;
  };
  const sign = (wanted: string): boolean => {
    if (text.charAt(at) !== wanted) return false;
    at += 1;
    read(SPACE);
    return true;
  };
  /** Reads a name and its colon. */
  const name = (): boolean => read(TEXT) && read(SPACE) && sign(":");
  read(SPACE);
  for (;;) {
    // A value, or the beginning of one.
    if (sign("[")) {
      open.push("[");
      if (text.charAt(at) !== "]") continue;
    } else if (sign("{")) {
      open.push("{");
      if (text.charAt(at) !== "}") {
        if (!name()) return at;
        continue;
      }
    } else if (!read(SCALAR)) return at;
    read(SPACE);
    // What follows it: the end of what is open, or a comma and the next one.
    while (open.length > 0 && sign(open.at(-1) === "[" ? "]" : "}")) open.pop();
    if (open.length === 0) return at;
    if (!sign(",")) return at;
    if (open.at(-1) === "{" && !name()) return at;
  }
}
