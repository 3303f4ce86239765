import type { WrittenMember } from "#storage/archive/written-member.ts";
import { PieceStream, type SendProgress } from "../http/piece-stream.ts";

/**
 * A gzipped tar of these members, written at the pace of the client. It begins once the first two megabytes exist, so
 * that an earlier error can still be reported. A later error closes the connection, so that no client mistakes half an
 * archive for a complete one; PuppetDB ends it as if it were complete (`reference/archive.md §3`).
 * @param begin called before any of it is sent; an error that it throws ends the response
 * @param onFault called for an error after that
 * @throws errors of the members before it begins
 */
export async function archiveStream(
  members: AsyncIterable<WrittenMember>,
  begin: () => SendProgress,
  onFault: (error: unknown) => void,
): Promise<PieceStream> {
  // Loaded on demand, because few services ever export.
  const { archivePieces } = await import("#storage/archive/write.ts");
  let hasBegun = false;
  const pieces = reporting(archivePieces(members, new Date()), (error) => {
    if (hasBegun) onFault(error);
  });
  const first = await pieces.next();
  try {
    const progress = begin();
    hasBegun = true;
    return new PieceStream(first.done === true ? [] : [first.value], pieces, progress);
  } catch (error) {
    await pieces.return();
    throw error;
  }
}

async function* reporting(
  pieces: AsyncGenerator<Buffer, void>,
  report: (error: unknown) => void,
): AsyncGenerator<Buffer, void> {
  try {
    yield* pieces;
  } catch (error) {
    report(error);
    throw error;
  }
}
