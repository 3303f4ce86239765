import { answerTimes, WireConnection } from "../wire.ts";
import { runJob } from "./job.ts";

/** The requests, and how often each is sent. */
export interface QueryInput {
  /** of the server, without a slash at the end */
  readonly url: string;
  /** paths with parameters, requested by turns */
  readonly targets: readonly string[];
  readonly rounds: number;
}

/** How long the answers to each target took, in ms, in the order of the targets. */
export type QueryOutput = readonly (readonly number[])[];

runJob(async ({ url, targets, rounds }: QueryInput): Promise<QueryOutput> => {
  const connection = await WireConnection.open(url);
  const times = targets.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) {
      times[index]?.push(...(await answerTimes(connection, target, { warmUps: 0, runs: 1 })));
    }
  }
  connection.close();
  return times;
});
