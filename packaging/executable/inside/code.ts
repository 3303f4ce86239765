/** The asset that holds a piece of the program's code: a script that is a function of `module`, `exports` and `require`. */
export function codeAsset(name: string): string {
  return `code/${name}`;
}

/** The asset that holds what V8 made of a piece when it was compiled, where there is one. */
export function cachedAsset(name: string): string {
  return `compiled/${name}`;
}
