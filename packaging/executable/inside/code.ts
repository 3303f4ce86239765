/** The asset with a piece of the program's code: a script that is a function of `module`, `exports` and `require`. */
export function codeAsset(name: string): string {
  return `code/${name}`;
}

/** The asset with V8's code cache of a piece, if there is one. */
export function cachedAsset(name: string): string {
  return `code-cache/${name}`;
}

/** The asset with a piece of the code that is compressed; it is there instead of {@link codeAsset}. */
export function compressedAsset(name: string): string {
  return `code-compressed/${name}`;
}
