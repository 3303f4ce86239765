import type { Bench } from "../bench.ts";
import type { DownloadInput, DownloadOutput } from "../children/download.ts";
import { growthDuring } from "../memory.ts";
import { SampleBook, type Samples } from "../scenario.ts";

/** Where everything that is stored is exported. */
export const ARCHIVE = "/pdb/admin/v1/archive";

/** The whole population as an archive over HTTP, each time from a server that has served no request before. */
export async function measureExport(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  for (let run = 1; run <= bench.runs; run++) {
    const server = await bench.freshServer();
    const input: DownloadInput = { url: server.value.url + ARCHIVE };
    const [{ bytes, seconds }, growth] = await growthDuring(server.pid, () =>
      bench.run<DownloadOutput>("download", input),
    );
    bench.progress(`export ${run}/${bench.runs}: ${bytes} bytes in ${seconds.toFixed(1)} s`);
    book.add("time", seconds);
    book.add("archive", bytes);
    book.add("memory growth", growth);
  }
  return book.samples();
}
