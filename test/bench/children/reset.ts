import { startFixture } from "#cli/fixture/fixture.ts";
import { runJob } from "./job.ts";

/** How often a fixture of the default nodes is changed and reset. */
export interface ResetInput {
  readonly times: number;
}

/** Milliseconds of each reset. */
export interface ResetOutput {
  /** after something had come in */
  readonly changed: readonly number[];
  /** after nothing had */
  readonly unchanged: readonly number[];
}

runJob(async ({ times }: ResetInput): Promise<ResetOutput> => {
  await using fixture = await startFixture();
  const output = { changed: [] as number[], unchanged: [] as number[] };
  const timed = async (): Promise<number> => {
    const began = performance.now();
    await fixture.reset();
    return performance.now() - began;
  };
  const payload = { certname: "new", environment: "test", producer: null, producer_timestamp: fixture.now, values: {} };
  for (let time = 0; time < times; time++) {
    await fixture.submit({ command: "replace facts", payload });
    output.changed.push(await timed());
    output.unchanged.push(await timed());
  }
  return output;
});
