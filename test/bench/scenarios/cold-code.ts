import type { Bench } from "../bench.ts";
import { packedOrSource } from "../packed-or-source.ts";
import { coldAndWarm } from "../peer/warm-up.ts";
import { worksOf } from "../peer/work.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { sendWork } from "../send-work.ts";

/** Documents that are sent first after a start, each kind after a start of its own. */
const kinds = ["facts", "catalogs"] as const;

/** The part of a warm server's speed that a server should have which has just started. */
const FIRST = 0.6;

const metrics = Object.fromEntries(
  kinds.flatMap((kind): [string, Scenario["metrics"][string]][] => [
    [`${kind}, first after a start`, { unit: "commands/s" }],
    [`${kind}, when warm`, { unit: "commands/s" }],
    [`${kind}, first beside warm`, { unit: "ratio", target: { atLeast: FIRST } }],
    [`${kind}, first, processor time`, { unit: "ms/command" }],
    [`${kind}, warm, processor time`, { unit: "ms/command" }],
  ]),
);

/** The speed of a server that has just started, whose code V8 has not compiled yet. */
export const coldCode: Scenario = {
  name: "cold-code",
  shows: "the first 300 fact sets and catalogs after a start, beside as many others when the same server is warm",
  metrics,
  measure: measureColdCode,
};

/** The packaged program is started where it has been made, as its users start it. */
async function measureColdCode(bench: Bench): Promise<Samples> {
  const { rivals, runs } = bench;
  const works = worksOf(await rivals.population(), Infinity);
  const start = packedOrSource(bench.profile);
  bench.progress(`what is measured: ${[start.program, ...start.words].join(" ")}`);
  const book = new SampleBook();
  for (let run = 1; run <= runs; run++) {
    let census = await rivals.emptyCensus(undefined, start);
    for (const kind of kinds) {
      if (kind !== kinds[0]) census = await rivals.censusAgain(start);
      const { cold, warmUps, warm } = coldAndWarm(kind, works[kind]);
      const first = await sendWork(bench, `${run}/${runs} ${kind}, first after a start`, census, cold);
      for (const work of warmUps) await sendWork(bench, `${run}/${runs} ${kind}, warming up`, census, work);
      const later = await sendWork(bench, `${run}/${runs} ${kind}, when warm`, census, warm);
      book.add(`${kind}, first after a start`, first.speed);
      book.add(`${kind}, when warm`, later.speed);
      book.add(`${kind}, first beside warm`, first.speed / later.speed);
      book.add(`${kind}, first, processor time`, first.processor);
      book.add(`${kind}, warm, processor time`, later.processor);
    }
  }
  return book.samples();
}
