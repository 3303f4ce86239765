import { hash } from "node:crypto";
import { processorTime } from "../processor-time.ts";
import { readRequests } from "../requests.ts";
import { statisticsOf } from "../statistics.ts";
import { runJob } from "./job.ts";

/** What is parsed. */
export interface ParseInput {
  /** requests, one a line */
  readonly file: string;
}

/** Milliseconds of processor time to parse all bodies and to digest them. */
export type ParseOutput = number;

/** How often all of it is parsed until V8 has compiled what it compiles, and how often then. */
const WARM_UPS = 2;
const RUNS = 5;

/** The least that a server can do with a new document: `JSON.parse`, and the SHA-1 by which it recognises its content. */
runJob(async ({ file }: ParseInput): Promise<ParseOutput> => {
  const requests = await readRequests(file);
  const times: number[] = [];
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const time = await processorTime(async () => {
      for (const { body } of requests) {
        JSON.parse(body.toString());
        hash("sha1", body);
      }
    });
    if (run >= 0) times.push(time);
  }
  return statisticsOf(times).median;
});
