import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { atRest } from "./machine.ts";
import type { PostInput, PostOutput } from "./children/post.ts";
import type { Work } from "./peer/work.ts";
import { benchFolder } from "./population.ts";
import { writeRequests } from "./requests.ts";

/** The number of connections that send commands to a server that is measured. */
export const CONNECTIONS = 8;

/**
 * Sends work to a server and waits until queries return all of it.
 * @param what the name of the work in messages of progress
 * @param server its address, and its process where its processor time is wanted
 * @returns commands per second, and the server's processor time for each in ms, where the system reports it
 */
export async function sendWork(
  bench: Bench,
  what: string,
  server: { readonly url: string; readonly pid?: number },
  { commands, stored }: Work,
): Promise<{ speed: number; processor: number | undefined }> {
  const { url, pid } = server;
  const file = join(benchFolder, "peer", "requests.ndjson");
  writeRequests(file, commands);
  // What the one measured before has left to do is not this one's.
  await atRest();
  const input: PostInput = { url, file, connections: CONNECTIONS, stored, pid };
  const { storedSeconds, postedSeconds, cpuSeconds, serverSeconds } = await bench.run<PostOutput>("post", input);
  const speed = commands.length / storedSeconds;
  bench.progress(
    `${what}: ${commands.length} accepted in ${postedSeconds.toFixed(2)} s, stored in ${storedSeconds.toFixed(2)} s ` +
      `(${speed.toFixed(0)}/s); sending took ${cpuSeconds.toFixed(2)} s of a processor`,
  );
  return { speed, processor: serverSeconds && (serverSeconds / commands.length) * 1000 };
}

/** The work, done by a server that has done the other already. */
export function besides({ commands, stored }: Work, other: Work): Work {
  return { commands, stored: { ...stored, count: stored.count + other.stored.count } };
}
