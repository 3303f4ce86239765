/** Batches of rows as an answer yields them. */
export async function* batchesOf(batches: readonly (readonly string[])[]): AsyncGenerator<readonly string[]> {
  yield* batches;
}

/** All pieces as one text. */
export async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}
