import { messageOf } from "#storage/errors.ts";
import type { Corpus } from "./corpus.ts";
import { judge, unanswered } from "./judge.ts";
import { openClient } from "./request.ts";
import { openSubject, runningSubject } from "./subject.ts";
import type { Judgement } from "./tally.ts";

/** Asks everything a corpus recorded, of a server of its own or of the one at `url`, and judges the answers. */
export async function judgeCorpus(
  corpus: Corpus,
  { url, only = /(?:)/ }: { url?: string; only?: RegExp } = {},
): Promise<{ judgements: Judgement[]; refused: readonly string[] }> {
  const subject = url === undefined ? await openSubject(corpus) : runningSubject(url);
  const client = openClient(subject.url);
  const judgements: Judgement[] = [];
  try {
    // One after the other: some recordings are of commands, and later ones must see what those left.
    for (const recording of corpus.recordings.filter(({ id }) => only.test(id))) {
      const verdict = await client.send(recording.request).then(
        (answer) => judge(recording, answer),
        (error: unknown) => unanswered(recording, messageOf(error)),
      );
      judgements.push({ recording, verdict });
    }
  } finally {
    client.close();
    await subject.close();
  }
  return { judgements, refused: subject.refused };
}
