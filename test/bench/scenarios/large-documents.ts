import { join } from "node:path";
import type { Bench } from "../bench.ts";
import type { ParseInput, ParseOutput } from "../children/parse.ts";
import { type DocumentKind, documentKinds, largeDocuments } from "../large-documents/documents.ts";
import type { Work } from "../peer/work.ts";
import { benchFolder } from "../population.ts";
import { writeRequests } from "../requests.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { besides, sendWork } from "../send-work.ts";

/** Documents of each kind that are measured: 26 MB of catalogs, 180 MB of reports, 8 MB of facts. */
const MEASURED = 40;

/** Documents of other nodes that come first, until the server gets no faster. */
const WARM_UPS: Readonly<Record<DocumentKind, number>> = { catalogs: 100, reports: 16, facts: 100 };

/** How many times as much processor time as parsing and a digest alone a server may need. */
const BESIDE_FLOOR = 3;

const metrics = Object.fromEntries(
  documentKinds.flatMap((kind): [string, Scenario["metrics"][string]][] => [
    [`${kind}, stored`, { unit: "MB/s" }],
    [`${kind}, processor time`, { unit: "ms/MB" }],
    [`${kind}, parsing and digest alone`, { unit: "ms/MB" }],
    [`${kind}, beside these alone`, { unit: "ratio", target: { atMost: BESIDE_FLOOR } }],
  ]),
);

/** What large documents cost that the server has not had before. */
export const largeDocumentsScenario: Scenario = {
  name: "large-documents",
  shows:
    "new catalogs of 1,000 resources, reports of 10,000, fact sets of 200 kB, beside `JSON.parse` and SHA-1 of the same",
  metrics,
  measure: measureLargeDocuments,
};

/** What a server is sent of a kind. */
interface Sent {
  readonly kind: DocumentKind;
  readonly warmUp: Work;
  readonly measured: Work;
  /** Of what is measured. */
  readonly megabytes: number;
}

async function measureLargeDocuments(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  const all = documentKinds.map((kind) => sentOf(bench, kind));
  for (let run = 1; run <= bench.runs; run++) {
    const census = await bench.rivals.emptyCensus();
    for (const { kind, warmUp, measured, megabytes } of all) {
      const named = `${run}/${bench.runs} large ${kind}`;
      await sendWork(bench, `${named}, warming up`, census, warmUp);
      const { speed, processor } = await sendWork(bench, named, census, besides(measured, warmUp));
      const each = megabytes / measured.commands.length;
      const floor = await parsingAlone(bench, measured, megabytes);
      book.add(`${kind}, stored`, speed * each);
      book.add(`${kind}, processor time`, processor && processor / each);
      book.add(`${kind}, parsing and digest alone`, floor);
      book.add(`${kind}, beside these alone`, processor && processor / each / floor);
    }
  }
  return book.samples();
}

function sentOf(bench: Bench, kind: DocumentKind): Sent {
  bench.progress(`making ${MEASURED + WARM_UPS[kind]} large ${kind}`);
  const measured = largeDocuments(kind, 0, MEASURED);
  const bytes = measured.commands.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
  // The nodes of the documents that are measured are the first ones; others begin behind them.
  const warmUp = largeDocuments(kind, 2 * MEASURED, WARM_UPS[kind]);
  return { kind, warmUp, measured, megabytes: bytes / 1e6 };
}

/** Milliseconds of processor time for each MB of what is least to do. */
async function parsingAlone(bench: Bench, { commands }: Work, megabytes: number): Promise<number> {
  const file = join(benchFolder, "large-documents.ndjson");
  writeRequests(file, commands);
  return (await bench.run<ParseOutput>("parse", { file } satisfies ParseInput)) / megabytes;
}
