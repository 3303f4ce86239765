import type { WrittenMember } from "#storage/archive/written-member.ts";
import { respond } from "../http/answers.ts";
import { type Sending, StreamedBody } from "../http/streamed.ts";

/** How an archive is sent. */
export interface ArchiveAnswerOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Called before any of it is sent; what it throws ends the answer. */
  readonly begin: () => Sending;
  /** Notified of what fails once some of it has been sent. */
  readonly onFault: (error: unknown) => void;
}

/**
 * An answer that is an archive of these members, streamed at the client's pace. It begins once the first two megabytes have
 * been made: what fails before that is the caller's to answer. What fails later cuts the connection, so that nobody takes
 * half an archive for whole; the peer ends it as if it were (`reference/archive.md §3`).
 * @throws what the members throw before the answer begins
 */
export async function archiveAnswer(
  members: AsyncIterable<WrittenMember>,
  { headers, begin, onFault }: ArchiveAnswerOptions,
): Promise<Response> {
  // Loaded when it is needed, which few services ever do.
  const { archivePieces } = await import("#storage/archive/write.ts");
  let hasBegun = false;
  const pieces = reported(archivePieces(members, new Date()), (error) => {
    if (hasBegun) onFault(error);
  });
  const first = await pieces.next();
  const known = first.done === true ? [] : [first.value];
  try {
    const sending = begin();
    hasBegun = true;
    return respond(new StreamedBody(known, pieces, sending), headers);
  } catch (error) {
    await pieces.return();
    throw error;
  }
}

async function* reported(
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
