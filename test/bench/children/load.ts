import { Store } from "#storage/store.ts";
import { fixedClock, parseTimestamp } from "#storage/time.ts";
import { isCommandName } from "#storage/wire/commands.ts";
import { commandsIn } from "../peer/population.ts";
import { runJob } from "./job.ts";

/** Which population goes where. */
export interface LoadInput {
  /** NDJSON, a command a line */
  readonly file: string;
  readonly directory: string;
  /** what the clock shows, as ISO text */
  readonly now: string;
}

/** The number of stored commands. */
export type LoadOutput = number;

type Submissions = Parameters<Store["importAll"]>[0];

runJob(async ({ file, directory, now }: LoadInput): Promise<LoadOutput> => {
  const received = parseTimestamp(now) ?? 0n;
  const store = await Store.open({ directory, clock: fixedClock(received) });
  const count = await store.importAll(submissions(file, received));
  await store.close();
  return count;
});

async function* submissions(
  file: string,
  received: bigint,
): Submissions extends AsyncIterable<infer T> ? AsyncGenerator<T> : never {
  for await (const { command, version, certname, payload } of commandsIn(file)) {
    const name = command.replaceAll("_", " ");
    if (isCommandName(name)) yield { command: name, version: Number(version), certname, payload, received };
  }
}
