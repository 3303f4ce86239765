import type { Random } from "#fixtures/random.ts";
import { NOW } from "#test/campaign/commands.ts";
import { settle, storedIn } from "#test/campaign/inspect.ts";
import type { Ledger } from "#test/campaign/ledger.ts";
import { startServer } from "#test/campaign/server.ts";
import { damageQueue, type QueueDamageKind } from "./damage.ts";

export interface DamagedQueueOptions {
  readonly directory: string;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Milliseconds in which a server must run, or report that it does not. */
  readonly quiet: number;
  readonly onProblem: (text: string) => void;
}

/** What came of a damaged queue. */
export interface DamagedQueueResult {
  /** Commands that were missing without a message. */
  readonly lost: number;
  /** Whether the server did not start. */
  readonly isReported: boolean;
  readonly ending: string;
}

/**
 * A server whose queue is damaged has everything, or does not start and says which commands are missing. Afterwards the
 * data directory is as before.
 * @returns undefined where the queue has no files
 */
export async function tryDamagedQueue(
  kind: QueueDamageKind,
  { directory, ledger, random, quiet, onProblem }: DamagedQueueOptions,
): Promise<DamagedQueueResult | undefined> {
  const restore = damageQueue(kind, directory, random);
  if (restore === undefined) return undefined;
  const server = startServer({ directory, now: NOW });
  try {
    const { plain } = await server.ready;
    await settle(plain, quiet);
    const verdict = ledger.judge(await storedIn(plain));
    const lost = verdict.lost.length + verdict.damaged.length;
    if (lost > 0) onProblem(`${kind}: runs with ${lost} commands less and does not report it: ${verdict.lost[0]}`);
    return { lost, isReported: false, ending: `${kind}: runs with everything` };
  } catch (error) {
    const lines = String(error).split("\n");
    // A notice about the engine's log may come first.
    const text = lines.find((line) => line.includes("the queue lacks")) ?? lines[0] ?? "";
    if (!/the queue lacks acknowledged commands \(.*--accept-loss/.test(text)) onProblem(`${kind}: ${text}`);
    // Once it is accepted, it is not reported again.
    for (const words of [["--accept-loss"], []]) {
      const failure = await failureOf(directory, words, quiet);
      if (failure !== undefined) onProblem(`${kind}: does not run though the loss is accepted: ${failure}`);
    }
    return { lost: 0, isReported: true, ending: `reported of a damaged queue: ${text}` };
  } finally {
    await server.kill();
    restore();
  }
}

/** Why a server does not run; undefined where it does. */
async function failureOf(directory: string, words: readonly string[], quiet: number): Promise<string | undefined> {
  const server = startServer({ directory, now: NOW, words });
  try {
    await settle((await server.ready).plain, quiet);
    return undefined;
  } catch (error) {
    return String(error).slice(0, 700);
  } finally {
    await server.kill();
  }
}
