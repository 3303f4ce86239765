import { CensusError, messageOf } from "#storage/errors.ts";
import type { Corpus } from "./corpus.ts";
import type { World } from "./world.ts";
import { judge, unanswered } from "./judge.ts";
import { openClient } from "./request.ts";
import { openSubject, runningSubject } from "./subject.ts";
import type { Judgement } from "./tally.ts";

/** The verdicts on a corpus, and a line for every command of its populations that was not stored. */
interface Judged {
  readonly judgements: readonly Judgement[];
  readonly refused: readonly string[];
}

/**
 * Sends every recorded request of a corpus to a server of its own, or to the one at `url`, and judges the answers.
 * @throws CensusError (bad-input) for a `url` where there are several populations
 */
export async function judgeCorpus(
  { name, worlds }: Corpus,
  { url, only = /(?:)/ }: { url?: string; only?: RegExp } = {},
): Promise<Judged> {
  if (url !== undefined && worlds.length > 1) {
    throw new CensusError("bad-input", `--url: ${name} has ${worlds.length} populations, and a server holds one`);
  }
  const judged: Judged[] = [];
  for (const world of worlds) {
    const recordings = world.recordings.filter(({ id }) => only.test(id));
    if (recordings.length > 0) judged.push(await judgeWorld({ ...world, recordings }, url));
  }
  return {
    judgements: judged.flatMap(({ judgements }) => judgements),
    refused: judged.flatMap(({ refused }) => refused),
  };
}

async function judgeWorld(world: World, url: string | undefined): Promise<Judged> {
  const subject = url === undefined ? await openSubject(world) : runningSubject(url);
  const client = openClient(subject.url);
  const judgements: Judgement[] = [];
  try {
    // One after the other: some recordings are of commands, and later ones must see what those left.
    for (const recording of world.recordings) {
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
