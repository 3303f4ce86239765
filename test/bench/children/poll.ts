import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { runJob } from "./job.ts";

/** The requests to send repeatedly, one after the other. */
export interface PollInput {
  /** of the server, without a slash at the end */
  readonly url: string;
  readonly path: string;
  /** ms between an answer and the next request */
  readonly pause: number;
  /** ms in all */
  readonly duration: number;
}

/** How long each answer took, in ms, in the order of the requests. */
export interface PollOutput {
  readonly answers: readonly number[];
}

runJob(async ({ url, path, pause, duration }: PollInput): Promise<PollOutput> => {
  const agent = new Agent({ keepAlive: true });
  const answers: number[] = [];
  const end = performance.now() + duration;
  while (performance.now() < end) {
    const began = performance.now();
    await get(agent, url + path);
    answers.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  agent.destroy();
  return { answers };
});

async function get(agent: Agent, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => answer.resume().on("end", resolve).on("error", reject))
      .on("error", reject)
      .end();
  });
}
