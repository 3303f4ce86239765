import { performance } from "node:perf_hooks";
import { defaultRetention } from "#storage/lifecycle/retention.ts";
import { timestampOfMillis } from "#storage/time.ts";
import type { Bench } from "../bench.ts";
import { fetchText } from "../http.ts";
import type { BenchQuery } from "../queries.ts";
import { planOf, targetOf } from "../query-request.ts";
import { SampleBook, type Samples } from "../scenario.ts";

const WARM_UPS = 3;
const RUNS = 20;

/** A query over HTTP until the last byte has come, the same when it is sent again, and what it takes to make SQL of its text. */
export async function measureQuery(bench: Bench, query: BenchQuery): Promise<Samples> {
  const book = new SampleBook();
  const server = await bench.server();
  const url = server.value.url + targetOf(query);
  const context = { purgeHorizon: timestampOfMillis(bench.now) - defaultRetention.nodePurgeTtl };
  let answer = "";
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const began = performance.now();
    answer = await fetchText(url);
    const answered = performance.now();
    planOf(query, context);
    const planned = performance.now();
    await fetchText(url, false);
    const again = performance.now();
    if (run < 0) continue;
    book.add("again", again - planned);
    book.add("answer", answered - began);
    book.add("compile", planned - answered);
  }
  const parsed: unknown = JSON.parse(answer);
  bench.progress(`${query.name}: ${Array.isArray(parsed) ? parsed.length : 1} rows, ${answer.length} characters`);
  return book.samples();
}
