import type { Bench } from "../bench.ts";
import type { StreamInput, StreamOutput } from "../children/stream.ts";
import { fetchText } from "../http.ts";
import { growthDuring } from "../memory.ts";
import { SampleBook, type Samples } from "../scenario.ts";

const ALL_RESOURCES = "/pdb/query/v4/resources";

/**
 * Every resource of the population, each time from a server that has only answered one short query before.
 * @throws Error when the rows that came are not all
 */
export async function measureStreaming(bench: Bench, { gzip }: { gzip: boolean }): Promise<Samples> {
  const book = new SampleBook();
  for (let run = 1; run <= bench.runs; run++) {
    const server = await bench.freshServer();
    const counted = JSON.parse(
      await fetchText(`${server.value.url}${ALL_RESOURCES}?query=["extract",[["function","count"]]]`),
    );
    const [{ count: expected }] = counted as [{ count: number }];
    const input: StreamInput = { url: server.value.url + ALL_RESOURCES, gzip };
    const [answer, growth] = await growthDuring(server.pid, () => bench.run<StreamOutput>("stream", input));
    if (answer.rows !== expected) throw new Error(`${answer.rows} rows came of ${expected}`);
    const speed = answer.rows / answer.seconds;
    bench.progress(`streaming ${run}/${bench.runs}: ${answer.rows} rows, ${Math.round(speed)} rows/s`);
    book.add("speed", speed);
    book.add("memory growth", growth);
    book.add("sent", answer.bytes);
  }
  return book.samples();
}
