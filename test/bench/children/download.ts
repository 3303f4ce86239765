import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import { runJob } from "./job.ts";

/** What is fetched. */
export interface DownloadInput {
  readonly url: string;
}

/** What came. */
export interface DownloadOutput {
  readonly bytes: number;
  /** from sending the request until the answer's end */
  readonly seconds: number;
}

runJob(async ({ url }: DownloadInput): Promise<DownloadOutput> => {
  const started = performance.now();
  const [answer] = (await once(get(url), "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  if (!answer.complete) throw new Error(`${url}: the answer was cut off after ${bytes} bytes`);
  return { bytes, seconds: (performance.now() - started) / 1000 };
});
