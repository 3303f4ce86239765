import { PassThrough } from "node:stream";
import type { WrittenMember } from "#storage/archive/written-member.ts";
import { respond } from "../http/answers.ts";

/** Bytes of an archive that wait for a slow client. */
const AHEAD = 1024 * 1024;

/**
 * An answer that is an archive of these members, streamed at the client's pace. It begins when the first member is there:
 * what fails before that is the caller's to answer. What fails later cuts the connection, so that nobody takes half an
 * archive for whole; the peer ends it as if it were (`reference/archive.md §3`).
 * @param onFault told of what fails later
 * @throws what the members throw before the first one
 */
export async function archiveAnswer(
  members: AsyncGenerator<WrittenMember>,
  headers: Readonly<Record<string, string>>,
  onFault: (error: unknown) => void,
): Promise<Response> {
  // Loaded when it is needed, which few services ever do.
  const { writeArchive } = await import("#storage/archive/write.ts");
  const first = await members.next();
  const body = new PassThrough({ highWaterMark: AHEAD });
  writeArchive(body, resumed(first, members), { format: "tar.gz", mtime: new Date() }).catch(onFault);
  return respond(body, headers);
}

async function* resumed(
  first: IteratorResult<WrittenMember, unknown>,
  rest: AsyncGenerator<WrittenMember>,
): AsyncGenerator<WrittenMember> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
