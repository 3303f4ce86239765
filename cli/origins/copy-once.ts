import type { FollowSettings } from "#app/settings/follow.ts";
import type { OriginStatus } from "#storage/origins/status.ts";
import type { Store } from "#storage/store.ts";
import { oneLine } from "../errors.ts";
import { pause } from "../follow/pause.ts";
import { startProgress } from "../progress.ts";
import { problemOf } from "./follower.ts";
import { followServers } from "./following.ts";

export interface CopyOptions {
  readonly settings: FollowSettings;
  readonly acceptsLoss: boolean;
  /** Whether to look until each server's data are here; otherwise once. */
  readonly untilEqual: boolean;
  readonly signal: AbortSignal;
}

/**
 * Copies servers into a store: once, or until a look at each finds that nothing differs, in no hour a report is missing, and no
 * command is in its queue. What has come there since the look before, and is copied by this one, does not count.
 * @returns how each was copied
 * @throws what a request throws, where only one look is made
 */
export async function copyServers(store: Store, options: CopyOptions): Promise<readonly OriginStatus[]> {
  const { settings, acceptsLoss, untilEqual, signal } = options;
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const following = await followServers(store, { settings, acceptsLoss, signal: both, share: 1, onNotice: say });
  const { statuses } = store.origins;
  const progress = startProgress(`Copying ${settings.origins.map(({ url }) => url).join(", ")}`);
  const timer = setInterval(() => {
    const all = statuses.map((status) => status.progress ?? { done: 0, total: 0 });
    const sum = (key: "done" | "total"): number => all.reduce((so, each) => so + each[key], 0);
    progress.update(sum("done"), sum("total"));
  }, 250);
  try {
    await Promise.all(
      following.followers.map(async (follower, index) => {
        for (;;) {
          try {
            const isSame = await follower.look(untilEqual);
            if (!untilEqual || (isSame && statuses[index]?.queueDepth === 0)) return;
          } catch (error) {
            both.throwIfAborted();
            if (!untilEqual) throw error;
            say(`${statuses[index]?.url}: ${problemOf(error)}; trying again`);
          }
          await pause(settings.intervalMs, both);
          both.throwIfAborted();
        }
      }),
    );
  } finally {
    ending.abort(new Error("the copy ends"));
    clearInterval(timer);
    progress.stop();
    following.close();
  }
  return statuses;
}

function say(text: string): void {
  process.stderr.write(`census: ${oneLine(text)}\n`);
}

/** What was copied, for people. */
export function copyText(statuses: readonly OriginStatus[], seconds: number): string {
  return statuses
    .map(({ name, nodes, counts: { documents } }) => {
      const count = (kind: string): number => documents.get(kind) ?? 0;
      const kinds = `${count("facts")} fact sets, ${count("catalog")} catalogs, ${count("report")} reports`;
      return `Copied ${kinds} from ${name} in ${seconds.toFixed(1)} s; it has ${nodes} nodes\n`;
    })
    .join("");
}
