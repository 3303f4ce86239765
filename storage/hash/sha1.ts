import { createHash, hash, type Hash } from "node:crypto";

/** Longer texts are encoded piece by piece: characters. */
const LONG = 1024 * 1024;

/** Characters of a piece. */
const PIECE = 64 * 1024;

const encoder = new TextEncoder();

/** A piece in UTF-8. */
let encoded: Uint8Array | undefined;

/** SHA-1 of a text, as hexadecimal digits. */
export function sha1(text: string): string {
  return text.length <= LONG ? hash("sha1", text) : sha1Of([text]);
}

/** SHA-1 of texts one behind the other, as hexadecimal digits. */
export function sha1Of(texts: readonly string[]): string {
  const digest = createHash("sha1");
  for (const text of texts) addText(digest, text);
  return digest.digest("hex");
}

/** Adds a text; of a long one no copy is made, for which three times its length would be reserved. */
export function addText(digest: Hash, text: string): void {
  if (text.length <= LONG) {
    digest.update(text);
    return;
  }
  encoded ??= new Uint8Array(3 * PIECE);
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, pieceEnd(text, at));
    const { read, written } = encoder.encodeInto(piece, encoded);
    digest.update(encoded.subarray(0, written));
    at += read;
  }
}

/** Adds texts with commas between them, without a copy of all of them. */
export function addList(digest: Hash, texts: readonly string[]): void {
  for (let from = 0; from < texts.length;) {
    let to = from;
    for (let length = 0; to < texts.length && (to === from || length <= LONG); to++) length += texts[to]?.length ?? 0;
    if (from > 0) digest.update(",");
    addText(digest, texts.slice(from, to).join(","));
    from = to;
  }
}

/** The two halves of a character stay together. */
function pieceEnd(text: string, at: number): number {
  const end = at + PIECE;
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
