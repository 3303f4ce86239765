import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import { createGunzip } from "node:zlib";
import { RowCounter } from "../row-counter.ts";
import { runJob } from "./job.ts";

/** The request. */
export interface StreamInput {
  readonly url: string;
  readonly gzip: boolean;
}

/** What came. */
export interface StreamOutput {
  readonly rows: number;
  /** as they came over the wire */
  readonly bytes: number;
  /** from sending the request until the answer's end */
  readonly seconds: number;
}

runJob(async ({ url, gzip }: StreamInput): Promise<StreamOutput> => {
  const started = performance.now();
  const request = get(url, { headers: gzip ? { "accept-encoding": "gzip" } : {} });
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let bytes = 0;
  answer.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
  });
  const counter = new RowCounter();
  for await (const chunk of gzip ? answer.pipe(createGunzip()) : answer) counter.add(chunk as Buffer);
  if (!answer.complete) throw new Error(`${url}: the answer was cut off after ${counter.rows} rows`);
  return { rows: counter.rows, bytes, seconds: (performance.now() - started) / 1000 };
});
