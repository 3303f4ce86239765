import type { Bench } from "../bench.ts";
import { parseArchive } from "../parse-archive.ts";
import { SampleBook, type Samples } from "../scenario.ts";

/** An archive into a new data directory, and the same archive again. */
export async function measureImport(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  for (let run = 1; run <= bench.runs; run++) {
    const first = await bench.import("empty");
    bench.progress(`import ${run}/${bench.runs}: ${first.commands} commands in ${first.seconds.toFixed(1)} s`);
    book.add("speed", first.commands / first.seconds);
    book.add("speed, reading and parsing alone", await parsingSpeed(await bench.archive()));
    book.add("CPU time", first.cpuSeconds);
    book.add("peak memory", first.peakMemory);
    book.add("data directory", bench.directorySize());
    const again = await bench.import("as it is");
    bench.progress(`import ${run}/${bench.runs}, the same again: ${again.seconds.toFixed(1)} s`);
    book.add("again, unchanged", again.seconds);
    book.add("again, data directory", bench.directorySize());
  }
  return book.samples();
}

/** Commands per second. */
async function parsingSpeed(archive: string): Promise<number> {
  const began = performance.now();
  const commands = await parseArchive(archive);
  return (commands * 1000) / (performance.now() - began);
}
